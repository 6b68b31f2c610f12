// SPDX-License-Identifier: Apache-2.0
// Chance enough for moments and for rounding (xorshift64*; Vigna, 2016). One thread.
#pragma once

#include <cstdint>

namespace rec::agent {

class WallRandom {
 public:
  explicit WallRandom(uint64_t seed) : state_(seed | 1) {}

  // From 0 to less than 1.
  double next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<double>(state_ * 0x2545F4914F6CDD1Dull >> 11) * 0x1p-53;
  }
  // Up or down, so that sums are right.
  int64_t rounded(double value) { return static_cast<int64_t>(value + next()); }

 private:
  uint64_t state_;
};

}  // namespace rec::agent
