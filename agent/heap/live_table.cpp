// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/live_table.h"

namespace rec::agent {

LiveTable::LiveTable(uint64_t seed)
    : seed_(seed), entries_(kPlaces), candidates_(kCandidates, seed), survivors_(kLiveSlots, ~seed) {}

bool LiveTable::add(const LiveEntry& entry, Reservoir::Standing standing) { return enter(0, entry, standing); }

bool LiveTable::enter(uint32_t first_place, const LiveEntry& entry, Reservoir::Standing standing) {
  emptied_.clear();
  const uint32_t seat = part(first_place).add(standing, emptied_);
  for (const uint32_t each : emptied_) {
    ++dropped_;
    forget(first_place + each);
  }
  if (seat != Reservoir::kNowhere) return entries_[first_place + seat] = entry, true;
  ++dropped_;
  gone_.push_back(entry.weak);
  return false;
}

void LiveTable::forget(uint32_t place) {
  gone_.push_back(entries_[place].weak);
  entries_[place] = {};
}

void LiveTable::empty(uint32_t place) {
  part(place).remove(place - first(place));
  forget(place);
}

void LiveTable::let_go(uint32_t place) {
  ++dropped_;
  empty(place);
}

void LiveTable::promote(uint32_t place) {
  const LiveEntry entry = std::exchange(entries_[place], {});
  const Reservoir::Standing standing = candidates_.standing(place);
  candidates_.remove(place);
  enter(kCandidates, entry, standing);
}

void LiveTable::looked_at_all() {
  candidates_.relax();
  survivors_.relax();
}

Event LiveTable::event_of(uint32_t place, uint32_t collections) {
  const LiveEntry& entry = entries_[place];
  Event event = entry.event;
  event.value = live_value(collections, part(place).standing(place - first(place)).doublings, entry.address);
  return event;
}

void LiveTable::clear() {
  for_each([&](uint32_t place, LiveEntry&) { empty(place); });
  dropped_ = 0;
}

}  // namespace rec::agent
