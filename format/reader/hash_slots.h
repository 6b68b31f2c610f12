// SPDX-License-Identifier: Apache-2.0
// HashSlots is the hash table of what stands elsewhere, by its number: of the nodes of a StackTree, and of its names.
//
//   slot:   [32 bits of the hash][number]     open addressing, at most two thirds full; number 0: free
//
// The low bits of these 32 say where a slot stands, in tables of any size, so that growing looks at nothing else; all of
// them together tell nearly every other entry apart, so that only the one that is looked for is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jrec {

class HashSlots {
 public:
  HashSlots() : slots_(64) {}

  // The number with this hash for which is_it(number); 0 when there is none: the caller writes one there at once.
  template <typename IsIt>
  uint32_t& find(uint32_t hash, IsIt is_it) {
    const uint32_t mask = this->mask();
    uint32_t at = hash & mask;
    for (; slots_[at].number != 0; at = (at + 1) & mask)
      if (slots_[at].hash == hash && is_it(slots_[at].number)) return slots_[at].number;
    return take(hash, at);
  }

  void prefetch(uint32_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = 0;
  };

  uint32_t mask() const { return static_cast<uint32_t>(slots_.size() - 1); }
  uint32_t free_place(uint32_t hash) const;
  uint32_t& take(uint32_t hash, uint32_t at);
  void grow();

  std::vector<Slot> slots_;  // a power of two
  size_t taken_ = 0;
};

}  // namespace jrec
