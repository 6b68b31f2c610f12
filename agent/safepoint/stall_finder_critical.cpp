// SPDX-License-Identifier: Apache-2.0
// Collections that JNI critical sections hold up: followed at each look, whatever else is watched.
#include "agent/safepoint/stall_finder.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

void StallFinder::look_at_critical(int64_t now) {
  if (critical_.busy() && counted()) critical_.note(words_of_vm_.look(counters_));
  if (const auto stall = critical_.look(now)) write_critical(*stall, true);
}

void StallFinder::write_critical(const CriticalTrack::Stall& stall, bool over) {
  LockerStall event;
  event.over = over;
  event.uptime_ns = reports_.uptime_ns(stall.start_ticks);
  const auto& collection = stall.collection;
  if (collection) event.collection = words_of_vm_.operation(collection->type);
  if (collection && cause_of_ == collection->number) event.cause = cause_;
  if (collection && event.cause.empty() && read_counts().requested == collection->number)
    event.cause = counters_.last_collection_cause();  // a short one: nobody looked while it went on
  event.operation = stall.gave_up ? words_of_vm_.operation(stall.gave_up->type) : event.collection;
  if (!critical_.write(stall, std::move(event))) Engine::losses().note(Note::kEventsRefused);
}

}  // namespace rec::agent
