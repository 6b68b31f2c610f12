// SPDX-License-Identifier: Apache-2.0
// Gathers facts: each event type that tells one has a small function that takes its events (gather_*.cpp).
//
//   {"jdk.GCPhasePause", take_pause}
//
// Several may take events of one type. A function asks for fields by name: what an older JDK does not write is missing, and a
// fact less. No more than Ranking::kMost of anything is kept.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "format/reader/chunk.h"
#include "jrec/findings/event_cells.h"
#include "jrec/findings/facts.h"
#include "jrec/select/filter.h"

namespace jrec {

struct Gatherer {
  std::string_view type;
  void (*take)(EventCells& event, Facts& facts);
  // --from and --to choose among these events, and of those that last the part that is in this time. Others tell of the
  // whole process.
  enum class Time : uint8_t { kStarts, kLasts, kAny } time = Time::kStarts;
};

std::span<const Gatherer> collection_gatherers();
std::span<const Gatherer> waiting_gatherers();
std::span<const Gatherer> vm_gatherers();
std::span<const Gatherer> thread_gatherers();
std::span<const Gatherer> process_gatherers();  // machine, settings, recording

// The events of a chunk that are no samples.
void gather_events(jfr::read::Chunk& chunk, const Filter& filter, Facts& facts);

}  // namespace jrec
