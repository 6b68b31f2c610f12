// SPDX-License-Identifier: Apache-2.0
#include "format/reader/hash_slots.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace jfr::read {

void HashSlots::make_room(size_t count) {
  assert(empty() && "what it has would be lost");
  slots_.assign(std::bit_ceil(count * 3 / 2 + 1), {});
}

size_t HashSlots::free_place(uint32_t hash) const {
  return place_of(hash, [](uint32_t) { return false; });
}

uint32_t& HashSlots::take(uint32_t hash, size_t at) {
  if (++taken_ * 3 > slots_.size() * 2) {
    grow();
    at = free_place(hash);
  }
  slots_[at].hash = hash;
  return slots_[at].number;
}

void HashSlots::grow() {
  constexpr size_t kFirst = 16;
  const size_t size = std::max(kFirst, slots_.size() * 2);
  const base::LargeVector<Slot> old = std::exchange(slots_, base::LargeVector<Slot>(size));
  for (const Slot& slot : old)
    if (slot.number != 0) slots_[free_place(slot.hash)] = slot;
}

}  // namespace jfr::read
