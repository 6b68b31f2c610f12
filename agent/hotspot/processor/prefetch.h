// SPDX-License-Identifier: Apache-2.0
// Memory that will be read soon. Stacks and threads are cold: who reads many of them waits for each, unless it is asked
// for while something else is done. A hint, which never faults and never waits. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

inline void prefetch(uint64_t address) { __builtin_prefetch(reinterpret_cast<const void*>(address)); }

inline void prefetch(uint64_t address, uint64_t bytes) {
  constexpr uint64_t kCacheLine = 64;
  for (uint64_t at = 0; at < bytes; at += kCacheLine) prefetch(address + at);
}

}  // namespace rec::agent
