// SPDX-License-Identifier: Apache-2.0
// LiveTable holds the objects that were sampled and may be alive, in two parts:
//
//   add() --> [ candidates ] -- a collection has passed, and it is there: promote() --> [ survivors ]
//                    |                                                                       |
//                    +------- died(), or let go because there is no room (reservoir.h) ------+--> take_gone()
//
// What is allocated between two collections is mostly garbage that nobody has looked at yet. It has a part of its own, so
// that it cannot push out what is known to live.
//
// It knows no JVM: a weak reference is a pointer that it hands back when it is done with it. One thread at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agent/heap/reservoir.h"
#include "recorder/spool/event_log.h"
#include "recorder/spool/live_object.h"

namespace rec::agent {

struct LiveEntry {
  void* weak = nullptr;             // to the object; null: the place is free
  Event event;                      // of kind kLiveObject, whose Refs are
  uint32_t serial = 0;              // of this epoch
  uint32_t born = 0;                // how many collections there had been
  uint32_t old_since = UINT32_MAX;  // as of OldGeneration
  uint64_t address = 0;             // where it was when it was last looked at; 0: not yet
};

class LiveTable {
 public:
  static constexpr uint32_t kCandidates = 1024;
  static constexpr uint32_t kFewCandidates = 256;
  static constexpr uint32_t kPlaces = kCandidates + kLiveSlots;  // candidates first

  explicit LiveTable(uint64_t seed = 1);

  // While it is empty. Few: where the collector keeps what a weak reference leads to.
  void keep_few(bool few) { candidates_ = Reservoir(few ? kFewCandidates : kCandidates, seed_); }

  // False: it is not let in; its weak reference is among the gone.
  bool add(const LiveEntry& entry, Reservoir::Standing standing);
  uint32_t level() const { return candidates_.level(); }  // newcomers are let in with the chance 2^(credit - level)

  // Calls visit(place, entry) for each that is there; visit may have it die, or promote it.
  template <typename Visit>
  void for_each(Visit visit) {
    for (uint32_t place = 0; place < kPlaces; ++place)
      if (entries_[place].weak != nullptr) visit(place, entries_[place]);
  }
  LiveEntry& at(uint32_t place) { return entries_[place]; }
  static bool is_survivor(uint32_t place) { return place >= kCandidates; }
  static uint32_t slot_of(uint32_t place) { return place - kCandidates; }  // of a survivor, in the spool
  uint32_t candidates() const { return candidates_.held(); }
  uint32_t survivors() const { return survivors_.held(); }

  void died(uint32_t place) { empty(place); }
  void let_go(uint32_t place);  // alive, perhaps
  // It, or others, may be let go for it.
  void promote(uint32_t place);
  // All were looked at: now it is known how many there are.
  void looked_at_all();
  // The entry's event as it is when it has survived so many collections.
  Event event_of(uint32_t place, uint32_t collections);

  std::vector<void*> take_gone() { return std::exchange(gone_, {}); }       // weak references nobody needs any more
  uint64_t take_dropped() { return std::exchange(dropped_, uint64_t{0}); }  // how many were let go, or not let in
  void clear();                                                             // all are gone

 private:
  Reservoir& part(uint32_t place) { return is_survivor(place) ? survivors_ : candidates_; }
  static uint32_t first(uint32_t place) { return is_survivor(place) ? kCandidates : 0; }
  bool enter(uint32_t first_place, const LiveEntry& entry, Reservoir::Standing standing);
  void forget(uint32_t place);
  void empty(uint32_t place);

  const uint64_t seed_;
  std::vector<LiveEntry> entries_;
  Reservoir candidates_, survivors_;
  std::vector<uint32_t> emptied_;
  std::vector<void*> gone_;
  uint64_t dropped_ = 0;
};

}  // namespace rec::agent
