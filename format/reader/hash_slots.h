// SPDX-License-Identifier: Apache-2.0
// HashSlots is the hash table of what stands elsewhere, by its number: of the entries of a KeyTable, of constants, of the nodes
// of a tree, and of its names.
//
//   slot:   [32 bits of the hash][number]     open addressing, at most two thirds full; number 0: free
//
// The low bits of these 32 say where a slot stands, in tables of any size, so that growing looks at nothing else; all of
// them together tell nearly every other entry apart, so that only the one that is looked for is loaded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_vector.h"

namespace jfr::read {

class HashSlots {
 public:
  // The number with this hash for which is_it(number); 0 when there is none.
  template <typename IsIt>
  uint32_t find(uint32_t hash, IsIt is_it) const {
    return slots_.empty() ? 0 : slots_[place_of(hash, is_it)].number;
  }
  // The same, where the caller writes one at once if it is 0.
  template <typename IsIt>
  uint32_t& find_or_take(uint32_t hash, IsIt is_it) {
    if (slots_.empty()) grow();
    const size_t at = place_of(hash, is_it);
    return slots_[at].number != 0 ? slots_[at].number : take(hash, at);
  }

  // Room for so many, taken at once. Of a table that has none.
  void make_room(size_t count);

  void prefetch(uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask()]);
  }
  // The number that stands where one with this hash would be if no other was there before; 0: there is none.
  uint32_t likely(uint32_t hash) const {
    if (slots_.empty()) return 0;
    const Slot& slot = slots_[hash & mask()];
    return slot.hash == hash ? slot.number : 0;
  }

  bool empty() const { return taken_ == 0; }
  void clear() { *this = {}; }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = 0;
  };

  size_t mask() const { return slots_.size() - 1; }
  // Where it is, or may be put.
  template <typename IsIt>
  size_t place_of(uint32_t hash, IsIt is_it) const {
    size_t at = hash & mask();
    while (slots_[at].number != 0 && !(slots_[at].hash == hash && is_it(slots_[at].number))) at = (at + 1) & mask();
    return at;
  }
  size_t free_place(uint32_t hash) const;
  uint32_t& take(uint32_t hash, size_t at);
  void grow();

  base::LargeVector<Slot> slots_;  // a power of two, or none yet
  size_t taken_ = 0;
};

}  // namespace jfr::read
