// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_part.h"

#include <algorithm>

#include "jrec/profile/sample_period.h"
#include "jrec/profile/stack_adder.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

SampleEvents collect(Chunk& chunk, const SampleSurvey& survey, const Filter& filter, const ProfileOptions& options,
                     SamplePeriod& period) {
  const std::vector<SampleLayout> layouts = layouts_of(survey, chunk, options.count_samples);
  SampleEvents events(chunk);
  ChunkFilter wanted(filter, chunk, chunk.clock());
  auto walk = chunk.events();
  for (Event event; walk.next(event);) {
    for (const SampleLayout& layout : layouts)
      if (layout.type->id == event.type_id && wanted.matches(event, *layout.type)) events.add(event, layout);
    period.see(chunk, event);
  }
  return events;
}

std::vector<SampleThread> name_threads(Chunk& chunk, const SampleEvents& events) {
  std::vector<SampleThread> threads;
  threads.reserve(events.threads.size());
  for (const auto& [thread, nothing] : events.threads)
    threads.push_back(thread.type == jfr::read::kNoType ? SampleThread{"[unknown]"}
                                                        : read_thread(chunk, thread.type, thread.key));
  return threads;
}

// Turns places of stacks into nodes of the tree.
void name_stacks(Chunk& chunk, const StackWeights& stacks, const ProfileOptions& options, SamplePart& part) {
  StackAdder adder(chunk, part.tree, options);
  const std::vector<uint32_t> nodes = adder.add(stacks);
  for (SampleEvent& sample : part.samples) sample.node = nodes[sample.node];
  part.truncated = adder.truncated;
}

}  // namespace

SamplePart read_sample_part(Chunk& chunk, const SampleSurvey& survey, const Filter& filter,
                            const ProfileOptions& options) {
  SamplePart part;
  part.start_ns = chunk.header().start_ns;
  part.duration_ns = static_cast<uint64_t>(std::max<int64_t>(0, chunk.header().duration_ns));
  SamplePeriod period;
  period.enter(chunk, survey.event_type);
  SampleEvents events = collect(chunk, survey, filter, options, period);
  part.period_ns = period.ns();
  part.threads = name_threads(chunk, events);
  part.samples = std::move(events.samples);
  name_stacks(chunk, events.stacks, options, part);
  std::stable_sort(part.samples.begin(), part.samples.end(),
                   [](const SampleEvent& a, const SampleEvent& b) { return a.time_ns < b.time_ns; });
  return part;
}

}  // namespace jrec
