// SPDX-License-Identifier: Apache-2.0
// Chance by halvings: what gets through k of them stands for 2^k. Signal-safe.
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

}  // namespace rec::agent
