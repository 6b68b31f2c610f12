// SPDX-License-Identifier: Apache-2.0
// WallPlaces are the stacks and states in which threads stand, each under a number: thousands of threads stand in few
// places. Those that somebody stands in when an epoch ends are kept beyond it (recorder/epoch/lease.h), so that a sleep is
// written with its stack, whatever chunks it falls into.
//
//   enter() -> number;  hold() while somebody stands there, let_go() when he has left
//   keep_held()                 before the epoch ends
//   turn()                      before anything else is done in a new epoch
//   stack()                     to write it
//
// The watcher's thread only; the epoch is pinned.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "recorder/epoch/lease.h"

namespace rec::agent {

class WallPlaces {
 public:
  static constexpr size_t kMostKept = 1 << 12;  // what is beyond is written without its stack, once its epoch is over

  void turn(Epoch& epoch);

  // 0: the epoch has no room.
  uint64_t enter(Epoch& epoch, HashedFrames frames, bool truncated, uint32_t state);
  void hold(uint64_t place);
  void let_go(uint64_t place);
  void keep_held(Epoch& epoch);

  Ref<StackFact> stack(uint64_t place) const;  // nothing: it was not kept
  uint32_t state(uint64_t place) const;        // JVMTI's bits

 private:
  struct Place {
    Ref<StackFact> stack;  // of the epoch at hand
    uint32_t state = 0;
    uint32_t users = 0;
    bool kept = false;
    Lease lease;
  };
  void keep(Epoch& epoch, Place& place);
  static uint64_t key_of(Ref<StackFact> stack, uint32_t state) { return uint64_t{stack.unit} << 16 | state; }

  std::unordered_map<uint64_t, Place> places_;      // by number
  std::unordered_map<uint64_t, uint64_t> numbers_;  // by key, of the epoch at hand
  uint64_t last_number_ = 0;
  size_t kept_ = 0;
  uint32_t serial_ = 0;
};

}  // namespace rec::agent
