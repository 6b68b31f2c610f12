// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_stream.h"

#include <algorithm>
#include <numeric>

#include "jrec/profile/frame_names.h"
#include "jrec/profile/sample_names.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

// Where the first of these types that has events stands; their number when none has.
size_t first_with_events(Chunk& chunk, const SampleKind::Types& types) {
  std::vector<std::pair<size_t, uint64_t>> there;
  for (size_t i = 0; i < types.size(); ++i)
    if (const SampleLayout layout = sample_layout(chunk, types[i], true); layout.type != nullptr)
      there.emplace_back(i, layout.type->id);
  size_t first = types.size();
  auto walk = chunk.events();
  for (Event event; !there.empty() && first != there.front().first && walk.next(event);)
    for (const auto& [place, id] : there)
      if (id == event.type_id) first = std::min(first, place);
  return first;
}

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

}  // namespace

SampleStream::SampleStream(Recording& recording, const ProfileOptions& options)
    : recording_(recording), options_(options), kind_(sample_kind(options.event)) {
  jfr::Result<Filter> filter = Filter::compile(options.filter, recording.bytes());
  filter ? void(filter_ = std::move(*filter)) : recording.refuse(filter.error());
  survey();
  unit_ = weight_unit(event_type_, options_.count_samples);
}

// Which of the types there are, and the span of the recording.
void SampleStream::survey() {
  const SampleKind::Types types = kind_.all_types();
  struct Part {
    int64_t start_ns = 0, end_ns = 0;
    size_t first = 0;
  };
  const auto look = [&](Chunk& chunk) {
    Part part{chunk.header().start_ns, chunk.header().start_ns,
              types.size() == 1 ? 0 : first_with_events(chunk, types)};
    if (__builtin_add_overflow(part.start_ns, chunk.header().duration_ns, &part.end_ns)) part.end_ns = part.start_ns;
    return part;
  };
  size_t first = types.size();
  int64_t end_ns = 0;
  bool any = false;
  recording_.survey(look, [&](Part&& part) {
    start_ns_ = any ? std::min(start_ns_, part.start_ns) : part.start_ns;
    end_ns = any ? std::max(end_ns, part.end_ns) : part.end_ns;
    first = std::min(first, part.first);
    any = true;
  });
  duration_ns_ = end_ns > start_ns_ ? static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(start_ns_) : 0;
  if (first == types.size()) first = 0;
  event_type_ = types[first];
  types_ = kind_.choice_with(first);
}

void SampleStream::read(const Visit& visit) {
  if (recording_.refused()) return;
  SamplePeriod period;
  recording_.each_chunk([&](Chunk& chunk) {
    period.enter(chunk, event_type_);
    read_chunk(chunk, period, visit);
  });
  tell_unknown_fields(recording_, filter_);
}

std::vector<SampleLayout> SampleStream::layouts_of(const Chunk& chunk) const {
  std::vector<SampleLayout> layouts;
  for (const std::string_view type : types_) {
    const SampleLayout layout = sample_layout(chunk, type, options_.count_samples, kind_.wall);
    if (layout.type != nullptr) layouts.push_back(layout);
  }
  return layouts;
}

void SampleStream::read_chunk(Chunk& chunk, SamplePeriod& period, const Visit& visit) {
  const std::vector<SampleLayout> layouts = layouts_of(chunk);
  SampleEvents events(chunk);
  ChunkFilter wanted(filter_, chunk, chunk.clock());
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    for (const SampleLayout& layout : layouts)
      if (layout.type->id == event.type_id && wanted.matches(event, *layout.type)) events.add(event, layout);
    period.see(chunk, event);
  }
  if (events.samples.empty()) return;
  if (period.ns() != 0) period_ns_ = period.ns();
  name(chunk, events);
  for (SampleEvent& sample : events.samples) sample.ns = time_behind(sample, period.ns());
  std::stable_sort(events.samples.begin(), events.samples.end(),
                   [](const SampleEvent& a, const SampleEvent& b) { return a.time_ns < b.time_ns; });
  visit({chunk.header().start_ns, static_cast<uint64_t>(std::max<int64_t>(0, chunk.header().duration_ns)), period.ns(),
         events.samples});
}

// Only time has a time: bytes have none, and of counted events nobody knows what they weigh.
uint64_t SampleStream::time_behind(const SampleEvent& sample, uint64_t period_ns) const {
  if (unit_ == "ns") return sample.weight;
  if (unit_ != "samples" || options_.count_samples) return 0;
  return sample.ns != 0 ? sample.ns : saturating_product(sample.weight, period_ns);
}

// Turns places into nodes and threads.
void SampleStream::name(Chunk& chunk, SampleEvents& events) {
  const std::vector<uint32_t> nodes = add_stacks(chunk, events.stacks);
  std::vector<uint32_t> threads;
  for (const SampleEvents::Key& thread : events.threads)
    threads.push_back(intern_thread(thread.type == jfr::read::kNoType ? SampleThread{"[unknown]"}
                                                                      : read_thread(chunk, thread.type, thread.key)));
  for (SampleEvent& sample : events.samples) {
    sample.node = nodes[sample.node];
    sample.thread = threads[sample.thread];
  }
}

std::vector<uint32_t> SampleStream::add_stacks(Chunk& chunk, std::span<const SampleEvents::Stack> stacks) {
  FrameNames names(chunk, tree_, options_.frames);
  std::vector<uint32_t> nodes(stacks.size()), by_key(stacks.size());
  // By key, as Profile adds them: the trees, and so the outputs, are the same.
  std::iota(by_key.begin(), by_key.end(), 0);
  std::sort(by_key.begin(), by_key.end(), [&](uint32_t a, uint32_t b) { return stacks[a].key < stacks[b].key; });
  std::vector<Frame> frames;
  for (const uint32_t place : by_key) {
    const SampleEvents::Stack& stack = stacks[place];
    bool truncated = false;
    frames.clear();
    const std::vector<Frame>& named = names.stack(stack.key, truncated);
    if (truncated && options_.mark_truncated) frames.push_back({tree_.intern("[truncated]"), FrameKind::kOther});
    frames.insert(frames.end(), named.begin(), named.end());
    if (frames.empty()) {
      frames.push_back({tree_.intern("[no stack]"), FrameKind::kOther});
      without_stack_ += stack.samples;
    }
    if (stack.about.type != jfr::read::kNoType) {
      const std::string name = class_name(chunk, stack.about.type, stack.about.key, options_.frames.simple);
      frames.push_back({tree_.intern(name), FrameKind::kOther});
    }
    if (truncated) truncated_ += stack.samples;
    samples_ += stack.samples;
    nodes[place] = tree_.add(frames, stack.weight);
  }
  return nodes;
}

int64_t SampleStream::since_start(int64_t time_ns) const {
  int64_t since = 0;
  return __builtin_sub_overflow(time_ns, start_ns_, &since) ? 0 : since;
}

uint32_t SampleStream::intern_thread(const SampleThread& thread) {
  const auto [place, is_new] = thread_ids_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
  if (is_new) threads_.push_back(thread);
  return place->second;
}

}  // namespace jrec
