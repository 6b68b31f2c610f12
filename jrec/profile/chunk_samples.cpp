// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/chunk_samples.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <optional>

#include "jrec/profile/lasting_events.h"
#include "jrec/profile/sample_period.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/profile/span_clip.h"
#include "jrec/profile/stack_namer.h"
#include "jrec/profile/tick_squares.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::KeyTable;

// Takes the events of one kind, and names nothing: node and thread of a sample are places in `stacks` and `threads`.
class Collector {
 public:
  // contexts: where each sample is kept, else null. chosen: the time that is asked for. held: the periods, of a chunk that was
  // looked through before; null: they are found out on the way.
  Collector(Chunk& chunk, const ChosenSamples& kind, const ProfileOptions& options, SampleDetail detail,
            const ChunkContexts* contexts, const TimeRange& chosen, const SamplePeriod* held)
      : chunk_(chunk),
        reader_(chunk, kind.malloc_interval),
        contexts_(contexts),
        leaked_(kind.leaked.get()),
        live_ns_(kind.live && kind.event_type == kLiveType ? kind.live->time_in(chunk) : std::nullopt),
        each_(detail == SampleDetail::kEach),
        timed_(options.by_time && is_of_time(kind.event_type) && !kind.in_bytes && !options.count_samples),
        is_time_(weight_unit(kind.event_type, options.count_samples) == "ns"),
        counts_periods_(is_of_time(kind.event_type) && !kind.in_bytes && !options.count_samples),
        knows_periods_(held != nullptr),
        chosen_(chosen),
        clip_(is_time_ || (kind.wall && !options.count_samples) ? SpanClip(chosen) : SpanClip()) {
    for (const std::string_view type : kind.types)
      if (const SampleLayout layout =
              sample_layout(chunk, type, options.count_samples || kind.counted, kind.wall, options.states);
          layout.type != nullptr)
        layouts_.push_back(layout);
    if (held != nullptr)
      period_ = *held;
    else if (knows_period())
      period_.enter(chunk, kind.event_type);
  }

  bool has_types() const { return !layouts_.empty(); }

  bool takes_parts() const { return clip_.clips(); }  // of what lasts: it may begin at any time

  void see(const Event& event, ChunkFilter& wanted) {
    for (const SampleLayout& layout : layouts_) {
      if (layout.type->id != event.type_id) continue;
      if (wanted.matches(event, *layout.type))
        add(event, layout);
      else if (timed_)
        note_unit_of(event, layout);
    }
    if (!knows_periods_ && knows_period()) period_.see(chunk_, event);
  }

  // A sample weighs by the period that held when it was taken, and the settings that tell it may stand behind it.
  bool must_look_again() const { return !knows_periods_ && counts_periods_ && period_.changes() && has_events_; }
  const SamplePeriod& period() const { return period_; }

  uint64_t period_ns() const { return period_.ns(); }
  bool has_events() const { return has_events_; }
  // What a weight stands for. Where samples tell it by themselves, and not all the same, weights become nanoseconds, also
  // where all that the filter leaves tell the same.
  uint64_t settle_weights() {
    if (told_ns_ == 0) return timed_ ? period_.ns() : 0;
    if (!differ_) return told_ns_;
    const uint64_t other_ns = period_.ns() != 0 ? period_.ns() : told_ns_;
    told_.resize(stacks.size());
    for (uint32_t place = 0; place < stacks.size(); ++place) {
      uint64_t& weight = stacks.at(place).weight;
      const auto before = static_cast<double>(weight);
      weight = told_[place].ns + (weight - told_[place].weight) * other_ns;
      const double by = before > 0 ? static_cast<double>(weight) / before : 0;  // on average
      stacks.at(place).squares *= by * by;
    }
    for (TimedSample& sample : samples) sample.weight = sample.ns != 0 ? sample.ns : sample.weight * other_ns;
    return 1;
  }
  bool weighed() const {
    return std::ranges::any_of(layouts_, [](const SampleLayout& layout) { return layout.weight >= 0; });
  }

  base::GrowingArray<TimedSample> samples;
  StackWeights stacks;
  struct Nothing {};
  KeyTable<Nothing, ConstantKey, SampleKeyHash> threads, states;

 private:
  void add(const Event& event, const SampleLayout& layout) {
    SampleValues values;
    if (!reader_.read(event, layout, values)) return;
    if (leaked_ != nullptr && !leaked_->has(values.address, values.ticks)) return;
    if (live_ns_ && values.time_ns != *live_ns_) return;
    tell_period(values);
    if (clip_.clips() && !is_shown(values)) return;
    has_events_ = true;
    const auto stack = stacks.find_or_add(values.stack);
    stack.value.weight += values.weight;
    ++stack.value.samples;
    if (timed_) note_time(values, stack.place);
    if (!each_) {
      stack.value.squares += ticks_.add(values, stack.place);
      return;
    }
    const uint32_t thread = threads.find_or_add(values.thread).place;
    const auto context = static_cast<uint32_t>(contexts_->place_of(values.thread.key, values.ticks) + 1);
    const bool has_state = values.state.type != jfr::read::kNoType;
    const uint32_t state = has_state ? states.find_or_add(values.state).place + 1 : 0;
    const int64_t at_ns = layout.born < 0 ? values.time_ns : values.born_ns;
    samples.push_back({at_ns, values.weight, values.ns, stack.place, thread, context, state});
  }

  bool knows_period() const { return each_ || timed_ || clip_.clips(); }

  // Of a sample that does not tell it by itself.
  void tell_period(SampleValues& values) const {
    if (knows_periods_ && counts_periods_ && values.ns == 0 && period_.changes())
      values.ns = values.weight * period_.ns_at(values.time_ns);
  }

  bool is_shown(SampleValues& values) {
    uint64_t lasts_ns = length_ns(values.weight, is_time_, values.ns, period_.ns());
    const bool is = clip_.take(values.time_ns, lasts_ns, values.weight);
    if (values.ns != 0) values.ns = lasts_ns;
    return is;
  }

  void note_unit(const SampleValues& values) {
    differ_ = differ_ || values.ns == 0 || values.weight != 1 ||
              (told_ns_ != 0 && !WeightUnit::are_alike(values.ns, told_ns_));
    if (told_ns_ == 0) told_ns_ = values.ns;
  }

  // Of a sample of the chosen time that the filter leaves out.
  void note_unit_of(const Event& event, const SampleLayout& layout) {
    SampleValues values;
    if (!reader_.read(event, layout, values)) return;
    tell_period(values);
    if (clip_.clips() ? !is_shown(values) : !chosen_.holds(values.time_ns)) return;
    has_events_ = true;
    note_unit(values);
  }

  void note_time(const SampleValues& values, uint32_t place) {
    note_unit(values);
    if (values.ns == 0) return;
    if (place >= told_.size()) told_.resize(place + 1);
    told_[place].ns += values.ns;
    told_[place].weight += values.weight;
  }

  Chunk& chunk_;
  SampleReader reader_;
  const ChunkContexts* const contexts_;
  const LeakedMemory* const leaked_;      // null: all samples
  const std::optional<int64_t> live_ns_;  // when the objects were told that count
  const bool each_;
  const bool timed_;           // what a weight stands for is asked for
  const bool is_time_;         // a weight is nanoseconds
  const bool counts_periods_;  // or a number of periods
  const bool knows_periods_;   // all of the chunk, before its first event
  const TimeRange chosen_;
  SpanClip clip_;
  TickSquares ticks_;
  bool has_events_ = false;  // in the chosen time, whatever the filter leaves of them
  uint64_t told_ns_ = 0;     // as the first sample that does tells it
  bool differ_ = false;      // not all tell that
  struct Told {
    uint64_t ns = 0, weight = 0;
  };
  std::vector<Told> told_;  // of stacks, by their places: time that samples tell by themselves, and what these weigh
  std::vector<SampleLayout> layouts_;
  SamplePeriod period_;
};

std::vector<SampleThread> name_threads(Chunk& chunk, const WriterProcess& jvm, const Collector& collected) {
  std::vector<SampleThread> threads;
  threads.reserve(collected.threads.size());
  for (const auto& [thread, nothing] : collected.threads) {
    const bool is_known = thread.type != jfr::read::kNoType;
    threads.push_back(is_known ? read_thread(chunk, thread.type, thread.key) : SampleThread{"[unknown]"});
    threads.back().jvm = jvm;
  }
  return threads;
}

std::vector<double> squares_of(const StackWeights& stacks, const std::vector<uint32_t>& nodes, size_t all_nodes) {
  std::vector<double> squares(all_nodes);
  size_t place = 0;
  for (const auto& [key, stack] : stacks) squares[nodes[place++]] += stack.squares;
  return squares;
}

std::vector<std::string> name_states(Chunk& chunk, const Collector& collected) {
  std::vector<std::string> states{{}};
  for (const auto& [state, nothing] : collected.states) states.push_back(constant_name(chunk, state.type, state.key));
  return states;
}

ChunkSamples named(Chunk& chunk, const WriterProcess& jvm, Collector& collected, const ProfileOptions& options) {
  ChunkSamples part;
  part.start_ns = chunk.header().start_ns;
  part.duration_ns = static_cast<uint64_t>(std::max<int64_t>(0, chunk.header().duration_ns));
  part.period_ns = collected.period_ns();
  part.weight_ns = collected.settle_weights();
  part.weighed = collected.weighed();
  part.has_events = collected.has_events();
  if (collected.stacks.empty()) return part;
  part.threads = name_threads(chunk, jvm, collected);
  if (options.states) part.states = name_states(chunk, collected);
  part.samples = std::move(collected.samples);
  const std::vector<uint32_t> nodes = StackNamer(chunk, options, part).add(collected.stacks);
  if (part.samples.empty()) part.squares = squares_of(collected.stacks, nodes, part.tree.nodes().size());
  for (TimedSample& sample : part.samples) {
    assert(sample.node < nodes.size() && "a sample's stack was counted before the sample was kept");
    sample.node = nodes[sample.node];
  }
  if (!std::ranges::is_sorted(part.samples, {}, &TimedSample::time_ns))
    std::ranges::stable_sort(part.samples, {}, &TimedSample::time_ns);
  return part;
}

using Collectors = std::deque<Collector>;

// Of one chunk, what each collector is made of.
struct Collecting {
  Chunk& chunk;
  std::span<const ChosenSamples> kinds;
  const Filter& filter;
  const ProfileOptions& options;
  SampleDetail detail;
  const ChunkContexts* contexts;

  // held: as those of the same kinds have found it out; none of them: nobody has looked.
  void fill(Collectors& collectors, const Collectors& held) const {
    const TimeRange shown = filter.range().both(options.shown);
    for (size_t i = 0; i < kinds.size(); ++i)
      collectors.emplace_back(chunk, kinds[i], options, detail, contexts, shown,
                              held.empty() ? nullptr : &held[i].period());
    // A chunk without such events may still have the settings that tell their period.
    if (detail != SampleDetail::kEach && std::ranges::none_of(collectors, &Collector::has_types)) return;
    ChunkFilter wanted(filter, chunk, chunk.clock());
    const Filter lasting = shown.everything() ? Filter() : filter.at_any_time();
    std::optional<ChunkFilter> at_any_time;
    if (!shown.everything()) at_any_time.emplace(lasting, chunk, chunk.clock());
    auto walk = chunk.events();
    for (Event event; walk.next(event);)
      for (Collector& collector : collectors) collector.see(event, collector.takes_parts() ? *at_any_time : wanted);
  }
};

}  // namespace

void ChunkSamples::scale(uint64_t factor) {
  if (factor == 1) return;
  tree.scale(factor);
  for (double& square : squares) square *= static_cast<double>(factor) * static_cast<double>(factor);
  for (TimedSample& sample : samples) sample.weight *= factor;
}

std::vector<ChunkSamples> read_chunk_samples(Chunk& chunk, std::span<const ChosenSamples> kinds, const Filter& filter,
                                             const ProfileOptions& options, SampleDetail detail) {
  std::optional<ChunkContexts> contexts;
  if (detail == SampleDetail::kEach) contexts.emplace(chunk);
  const std::vector<ChosenSamples> chosen = chosen_in(chunk, kinds);
  const Collecting collecting{chunk, chosen, filter, options, detail, contexts ? &*contexts : nullptr};
  Collectors first_look, second_look;
  collecting.fill(first_look, {});
  const bool again = std::ranges::any_of(first_look, &Collector::must_look_again);
  if (again) collecting.fill(second_look, first_look);
  Collectors& collectors = again ? second_look : first_look;
  const bool has_threads = std::ranges::any_of(collectors, [](const auto& each) { return !each.threads.empty(); });
  const WriterProcess jvm = has_threads ? writer_of(chunk).value_or(WriterProcess()) : WriterProcess();
  std::vector<ChunkSamples> parts;
  for (Collector& collector : collectors) {
    const ChosenSamples& kind = chosen[parts.size()];
    parts.push_back(named(chunk, jvm, collector, options));
    parts.back().event_type = kind.event_type;
    if (!contexts) continue;
    parts.back().contexts.emplace_back();
    parts.back().contexts.insert(parts.back().contexts.end(), contexts->all().begin(), contexts->all().end());
  }
  return parts;
}

}  // namespace jrec
