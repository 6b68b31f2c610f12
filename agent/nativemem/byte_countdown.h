// SPDX-License-Identifier: Apache-2.0
// A ByteCountdown says which allocations of a thread are sampled: those into which a point falls of a Poisson process over
// its bytes, one each `interval` bytes on the average. What is left to the next point is exponential again wherever one
// looks, so an allocation of `size` bytes is sampled with the probability 1 - exp(-size / interval), whatever came before
// (agent/heap/allocation_weight.h has what it stands for).
//
// One a thread, and all zero at first. Intervals have numbers: a countdown that was drawn for another one is drawn anew.
// Of one thread. Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rec::agent {

class ByteCountdown {
 public:
  // Of each allocation: a subtraction and two comparisons. True: look closer, by comes_due().
  bool runs_out(size_t size, uint32_t interval_number) {
    left_ -= static_cast<int64_t>(size);
    return left_ < 0 || number_ != interval_number;
  }

  // Whether that allocation is sampled. interval: bytes; 0: each is.
  bool comes_due(size_t size, int64_t interval, uint32_t interval_number, uint64_t random, uint64_t other_random);
  // None is, for a long time.
  void rest(uint32_t interval_number);

 private:
  int64_t left_ = 0;  // bytes to the next point
  uint32_t number_ = 0;
};

}  // namespace rec::agent
