// SPDX-License-Identifier: Apache-2.0
// Chance: by halvings, where what gets through k of them stands for 2^k; and for moments. Signal-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace rec::agent {

// Numbers as by chance; the same from the same state.
inline uint64_t next_random(uint64_t& state) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

// Likewise, for any thread.
inline uint64_t next_random(std::atomic<uint64_t>& state) {
  uint64_t own = state.fetch_add(0x9E3779B97F4A7C15u, std::memory_order_relaxed);
  return next_random(own);
}
// With the chance 2^-halvings, by such a number.
constexpr bool passes(uint64_t random, uint32_t halvings) {
  return halvings == 0 || (halvings < 64 && random >> (64 - halvings) == 0);
}

// Chance enough for moments and for rounding (xorshift64*; Vigna, 2016). One thread.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed | 1) {}

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
