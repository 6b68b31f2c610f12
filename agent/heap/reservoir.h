// SPDX-License-Identifier: Apache-2.0
// A Reservoir decides which of many things that come and go are kept in a fixed number of places, so that each that is
// still there has had the same chance, and what is kept says how many it stands for.
//
//   add()     full: each that is there is let go with the chance 1/2, and who stays counts twice as much. From then on a
//             newcomer gets in with half the chance, and counts as much as the others.
//   remove()  it is gone by itself: its place is free
//   relax()   few are there: newcomers get in with twice the chance again, and count for half
//
// Who brings a credit is spared so many halvings, and does not count more for them: what is large by itself should not
// leave it to chance whether it is told of.
//
// So the sum of 2^doublings over those that are kept is, on the average, how many there are, of any kind and age. (One
// that goes on replacing at random would forget what is old and count for nothing what has died.) No JVM; one thread at
// a time.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/sampling/chance.h"

namespace rec::agent {

class Reservoir {
 public:
  explicit Reservoir(uint32_t places, uint64_t seed = 1);

  // What a newcomer counts for already, and what it is spared.
  struct Standing {
    uint32_t doublings = 0, credit = 0;
    uint32_t level() const { return doublings + credit; }
  };
  // Its place, or kNowhere. let_go: places that were emptied for it.
  static constexpr uint32_t kNowhere = UINT32_MAX;
  uint32_t add(Standing newcomer, std::vector<uint32_t>& let_go);
  void remove(uint32_t place);
  void relax();

  bool holds(uint32_t place) const { return held_[place].doublings != kFree; }
  Standing standing(uint32_t place) const { return held_[place]; }
  uint32_t level() const { return level_; }  // doublings of newcomers without a credit
  uint32_t places() const { return static_cast<uint32_t>(held_.size()); }
  uint32_t held() const { return places() - static_cast<uint32_t>(free_.size()); }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr uint32_t kMostLevel = 40;

  bool rises(Standing& one);
  void thin(std::vector<uint32_t>& let_go);

  std::vector<Standing> held_;  // by place; doublings kFree: nobody
  std::vector<uint32_t> free_;
  uint32_t level_ = 0;
  uint64_t random_;
};

}  // namespace rec::agent
