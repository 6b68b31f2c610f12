// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/safe_copy.h"

#include <cstring>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

// By words: memory that is not ours may be read unaligned, and a word lies in one page or in two that are both looked at.
bool safe_copy(void* to, const void* from, size_t size) {
  asm volatile("" : : : "memory");  // what is copied may be ours, and stand in registers
  auto* next = static_cast<unsigned char*>(to);
  auto at = reinterpret_cast<uint64_t>(from);
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t), next += sizeof(uint64_t)) {
    uint64_t word = 0;
    if (!load64(at, word)) return false;
    std::memcpy(next, &word, sizeof word);
  }
  for (; size > 0; --size, ++at, ++next)
    if (!load8(at, *next)) return false;
  return true;
}

}  // namespace rec::agent
