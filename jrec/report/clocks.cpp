// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/clocks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "jrec/flame/page_json.h"
#include "jrec/flame/page_nodes.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/thread_group.h"

namespace jrec {
namespace {

struct ClockKind {
  std::string_view id, event;  // event: as --event names it
};

// In the order of the page.
constexpr ClockKind kClocks[] = {
    {"cpu", "cpu"},
    {"wall", "wall"},
    {"alloc", "alloc"},
    {"live", "live"},
    {"nativemem", "nativemem"},
    {"lock", "lock"},
    {"owners", "rec.MonitorOwner"},
    {"exceptions", "exceptions"},
    {"io", "io"},
};

bool has_any(const EventCounts& counts, const std::vector<std::string_view>& types) {
  return std::ranges::any_of(types, [&](std::string_view type) {
    const auto found = counts.find(type);
    return found != counts.end() && found->second != 0;
  });
}

// Names of all trees, each once.
class PageNames {
 public:
  std::vector<uint32_t> numbers_of(const ReportClock& clock) {
    const StackTree& tree = clock.placed.folded.tree;
    std::vector<uint32_t> numbers(tree.names().size());
    for (size_t i = 1; i < tree.nodes().size(); ++i) {
      const uint32_t name = tree.nodes()[i].name;
      numbers[name] = number_of(tree.names()[name]);
    }
    for (const HotMethod& method : clock.methods) numbers[method.name] = number_of(tree.names()[method.name]);
    return numbers;
  }
  const std::vector<const std::string*>& all() const { return names_; }

 private:
  uint32_t number_of(const std::string& name) {
    const auto [place, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(names_.size()));
    if (is_new) names_.push_back(&name);
    return place->second;
  }

  std::unordered_map<std::string_view, uint32_t> numbers_;
  std::vector<const std::string*> names_;
};

void append_clock(const ReportClock& clock, const std::vector<uint32_t>& names, bool with_states, std::string& out) {
  const StackTree& tree = clock.placed.folded.tree;
  append_format(out, "{{\"id\":\"{}\",\"event\":", clock.id);
  append_shown(clock.event_type, out);
  append_format(out,
                ",\"unit\":\"{}\",\"period_ns\":{},\"samples\":{},\"truncated\":{},\"folded\":{},\"folded_weight\":{}",
                clock.unit, clock.period_ns, clock.samples, clock.truncated, clock.placed.folded.folded,
                clock.placed.folded.weight);
  if (!clock.methods.empty())
    append_list("methods", clock.methods, out, [&](const HotMethod& method) {
      append_format(out, "{},{},{}", names[method.name], method.self, method.total);
    });
  append_format(out, ",\"bucket_ms\":{},\"nodes\":", static_cast<double>(clock.timeline.bucket_ns()) / 1e6);
  append_nodes(tree, clock.placed.order, names, out);
  out += ',';
  append_entries(clock.timeline, {clock.threads, with_states ? &clock.states : nullptr}, out);
  out += '}';
}

bool tells_states(const ReportClock& clock) {
  return std::ranges::any_of(clock.states, [](uint32_t state) { return state != 0; });
}

}  // namespace

void ReportClocks::read(Recording& recording, const ReportAxis& axis, const EventCounts& recorded,
                        const ProfileOptions& options) {
  std::vector<std::string> ids, events;
  std::set<std::string_view> of_others;  // samples of CPU time are the wall clock's only where it has its own, too
  for (const ClockKind& kind : kClocks) {
    SampleKind::Types types = sample_kind(kind.event).all_types();
    std::erase_if(types, [&](std::string_view type) { return !of_others.insert(type).second; });
    if (!has_any(recorded, types)) continue;
    ids.emplace_back(kind.id);
    events.emplace_back(kind.event);
  }
  if (ids.empty()) return;
  SamplePass pass(recording, options, events);
  std::vector<FlameTimeline> timelines;
  for (size_t i = 0; i < ids.size(); ++i) {
    const bool spread = pass.stream(i).passes_time();
    timelines.push_back(FlameTimeline::over(axis.start_ns, axis.duration_ns, axis.bucket_ns, spread));
  }
  pass.read_all([&](size_t kind, const SampleChunk& chunk) { timelines[kind].add(chunk); });
  for (size_t i = 0; i < ids.size(); ++i)
    if (pass.stream(i).samples() != 0) add(ids[i], pass.stream(i), std::move(timelines[i]));
  coarsen();
}

// The largest by a step, again and again.
void ReportClocks::coarsen() {
  const auto entries_of = [](const ReportClock& clock) {
    return clock.timeline.buckets() > FlameTimeline::kFewestBuckets ? clock.timeline.entries().size() : 0;
  };
  for (;;) {
    size_t all = 0;
    for (const ReportClock& clock : clocks_) all += clock.timeline.entries().size();
    const auto largest = std::ranges::max_element(clocks_, {}, entries_of);
    if (all <= kMostEntries || largest == clocks_.end() || entries_of(*largest) == 0) return;
    largest->timeline.double_buckets();
  }
}

void ReportClocks::add(const std::string& id, const SampleStream& stream, FlameTimeline&& timeline) {
  ReportClock clock{id,
                    stream.event_type(),
                    stream.unit(),
                    stream.period_ns(),
                    stream.samples(),
                    stream.truncated(),
                    place_on_page(stream.tree(), timeline, kMostNodes, kMostEntries),
                    {},
                    std::move(timeline),
                    {},
                    {}};
  if (clock.placed.folded.folded != 0) clock.methods = hot_methods(stream.tree());
  for (const SampleThread& thread : stream.threads()) {
    const auto [place, is_new] = thread_numbers_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
    if (is_new) threads_.push_back(thread);
    clock.threads.push_back(place->second);
  }
  for (const std::string& state : stream.states()) {
    const auto found = std::ranges::find(states_, state);
    clock.states.push_back(static_cast<uint32_t>(found - states_.begin()));
    if (found == states_.end()) states_.push_back(state);
  }
  clocks_.push_back(std::move(clock));
}

const ReportClock* ReportClocks::of(std::string_view id) const {
  const auto found = std::ranges::find(clocks_, id, &ReportClock::id);
  return found == clocks_.end() ? nullptr : &*found;
}

void ReportClocks::append_json(const ReportJvms& jvms, std::string& out) const {
  PageNames names;
  std::vector<std::vector<uint32_t>> numbers;
  for (const ReportClock& clock : clocks_) numbers.push_back(names.numbers_of(clock));
  append_list("names", names.all(), out, [&](const std::string* name) { append_shown(*name, out); });
  append_list("states", states_, out, [&](const std::string& state) { append_shown(state, out); });
  const bool of_several =
      std::ranges::any_of(threads_, [&](const SampleThread& thread) { return thread.jvm != threads_.front().jvm; });
  append_list("threads", threads_, out, [&](const SampleThread& thread) {
    out += '[';
    append_shown(of_several ? fmt::format("{}, {}", thread.name, jvms.name_of(thread.jvm)) : thread.name, out);
    append_format(out, ",{},{}]", thread.id(), static_cast<int>(thread_group(thread)));
  });
  size_t at = 0;
  append_list("clocks", clocks_, out,
              [&](const ReportClock& clock) { append_clock(clock, numbers[at++], tells_states(clock), out); });
}

}  // namespace jrec
