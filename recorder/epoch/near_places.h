// SPDX-License-Identifier: Apache-2.0
// NearPlaces remembers which record a key led to last, for keys that come again and again: one load instead of a walk
// through a table to the record itself, which is rarely in a cache of the processor.
//
// A place is two words, key ^ unit and unit: who reads halves of two entries finds neither. Keys are hashes
// of 64 bits, of which no two are alike. Any number of threads. Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec {

class NearPlaces {
 public:
  uint32_t find(uint64_t key) const {  // 0: not known
    const Place& place = places_[index_of(key)];
    const uint64_t unit =
        place.unit.load(std::memory_order_acquire);  // pairs with the release in enter(): the record is whole
    return place.check.load(std::memory_order_relaxed) == (key ^ unit) ? static_cast<uint32_t>(unit) : 0;
  }
  void enter(uint64_t key, uint32_t unit) {
    Place& place = places_[index_of(key)];
    place.check.store(key ^ unit, std::memory_order_relaxed);
    place.unit.store(unit, std::memory_order_release);  // pairs with the acquire in find()
  }
  void clear() {
    for (Place& place : places_) {
      place.check.store(0, std::memory_order_relaxed);
      place.unit.store(0, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr unsigned kBits = 12;
  struct Place {
    std::atomic<uint64_t> check{0}, unit{0};
  };
  static size_t index_of(uint64_t key) { return key >> (64 - kBits); }

  std::array<Place, size_t{1} << kBits> places_{};
};

}  // namespace rec
