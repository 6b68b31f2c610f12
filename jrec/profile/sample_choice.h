// SPDX-License-Identifier: Apache-2.0
// SampleChoice is which types of events stand for a kind of samples: the first choice of sample_kind.h that has events.
//
// A recording may be put together of several, each by another sampler. So each chunk has a choice of its own, of those
// that are told in the same unit; the first of all chunks gives its name to all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/profile/leaked_memory.h"
#include "jrec/profile/live_batches.h"
#include "jrec/profile/sample_kind.h"

namespace jrec {

// Of a kind, what a recording has.
struct ChosenSamples {
  SampleKind::Types types;                     // whose samples are added up; never empty
  std::string event_type;                      // the first of them that has events
  bool wall = false;                           // samples of CPU time are left out
  uint64_t malloc_interval = 0;                // of chunks that do not tell (malloc_weight.h)
  bool in_bytes = false;                       // a program's own events, whose weight is declared so
  bool counted = false;                        // each weighs 1, since not all tell what they weigh
  std::shared_ptr<const LeakedMemory> leaked;  // these allocations alone; nothing: all samples
  std::shared_ptr<const LiveBatches> live;     // of live objects: which count; nothing: all
  std::vector<SampleKind::Types> others;       // of chunks that have none of them, in order of preference
};

// first: in all_types(), what has events; beyond them: nothing has.
ChosenSamples chosen_samples(const SampleKind& kind, size_t first = 0);

// For each kind, where the first of its types that has events in the chunk stands; their number when none has. Decodes no
// event, and walks over them only where there is a choice of types.
std::vector<size_t> first_with_events(jfr::read::Chunk& chunk, const std::vector<SampleKind::Types>& kinds);

// "jdk.JavaMonitorEnter and jdk.ThreadPark", "jdk.FileRead and 4 more".
std::string words_of(const ChosenSamples& chosen);

// What the chunk has of each kind.
std::vector<ChosenSamples> chosen_in(jfr::read::Chunk& chunk, std::span<const ChosenSamples> kinds);

}  // namespace jrec
