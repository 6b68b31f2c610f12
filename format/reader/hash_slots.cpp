// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/hash_slots.h"

#include <utility>

namespace jrec {

uint32_t HashSlots::free_place(uint32_t hash) const {
  uint32_t at = hash & mask();
  while (slots_[at].number != 0) at = (at + 1) & mask();
  return at;
}

uint32_t& HashSlots::take(uint32_t hash, uint32_t at) {
  if (++taken_ * 3 > slots_.size() * 2) {
    grow();
    at = free_place(hash);
  }
  slots_[at].hash = hash;
  return slots_[at].number;
}

void HashSlots::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  for (const Slot& slot : old)
    if (slot.number != 0) slots_[free_place(slot.hash)] = slot;
}

}  // namespace jrec
