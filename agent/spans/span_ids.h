// SPDX-License-Identifier: Apache-2.0
// Ids of spans that have none from elsewhere: numbers that nobody else has drawn, as W3C Trace Context wants them.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace rec::agent {

// Any ordinary thread. A count that is stirred (Steele, Lea, Flood: SplitMix64) gives each number once; where it begins is as
// random as the moment and the place in memory. Never 0.
inline uint64_t new_span_id() {
  static constinit std::atomic<uint64_t> count{0};
  uint64_t begin = 0;
  if (count.load(std::memory_order_relaxed) == 0)
    count.compare_exchange_strong(
        begin, static_cast<uint64_t>(base::now_unix_ns()) * 0xD6E8FEB86659FD93u ^ reinterpret_cast<uintptr_t>(&count),
        std::memory_order_relaxed);
  uint64_t id = count.fetch_add(0x9E3779B97F4A7C15u, std::memory_order_relaxed);
  id = (id ^ id >> 30) * 0xBF58476D1CE4E5B9u;
  id = (id ^ id >> 27) * 0x94D049BB133111EBu;
  id ^= id >> 31;
  return id == 0 ? 1 : id;
}

}  // namespace rec::agent
