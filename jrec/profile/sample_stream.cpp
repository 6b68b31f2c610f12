// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_stream.h"

#include <algorithm>

#include "jrec/profile/stack_adder.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

}  // namespace

SampleStream::SampleStream(Recording& recording, const ProfileOptions& options)
    : recording_(recording), options_(options), survey_(survey_samples(recording, sample_kind(options.event))) {
  jfr::Result<Filter> filter = Filter::compile(options.filter, recording.bytes());
  filter ? void(filter_ = std::move(*filter)) : recording.refuse(filter.error());
  unit_ = weight_unit(survey_.event_type, options_.count_samples);
}

void SampleStream::read(const Visit& visit) {
  if (recording_.refused()) return;
  SamplePeriod period;
  recording_.each_chunk([&](Chunk& chunk) {
    period.enter(chunk, survey_.event_type);
    read_chunk(chunk, period, visit);
  });
  tell_unknown_fields(recording_, filter_);
}

void SampleStream::read_chunk(Chunk& chunk, SamplePeriod& period, const Visit& visit) {
  const std::vector<SampleLayout> layouts = layouts_of(survey_, chunk, options_.count_samples);
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
  StackAdder adder(chunk, tree_, options_);
  const std::vector<uint32_t> nodes = adder.add(events.stacks);
  samples_ += adder.samples;
  truncated_ += adder.truncated;
  std::vector<uint32_t> threads;
  for (const auto& [thread, nothing] : events.threads)
    threads.push_back(intern_thread(thread.type == jfr::read::kNoType ? SampleThread{"[unknown]"}
                                                                      : read_thread(chunk, thread.type, thread.key)));
  for (SampleEvent& sample : events.samples) {
    sample.node = nodes[sample.node];
    sample.thread = threads[sample.thread];
  }
}

int64_t SampleStream::since_start(int64_t time_ns) const {
  int64_t since = 0;
  return __builtin_sub_overflow(time_ns, survey_.start_ns, &since) ? 0 : since;
}

uint32_t SampleStream::intern_thread(const SampleThread& thread) {
  const auto [place, is_new] = thread_ids_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
  if (is_new) threads_.push_back(thread);
  return place->second;
}

}  // namespace jrec
