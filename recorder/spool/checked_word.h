// SPDX-License-Identifier: Apache-2.0
// CheckedWord is an atomic number that tells whether it is what was stored: a count below 2^48, and 16 bits made of it.
// One store writes both, so a process that dies leaves the number before or the new one, and never a word that looks
// damaged. Fresh memory, all zero, is an intact 0. Signal-safe.
//
//   63       48 47                                   0
//   +----------+--------------------------------------+
//   | check    | value                                |
//   +----------+--------------------------------------+
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

namespace rec {

template <typename T>
class CheckedWord {
 public:
  T load(std::memory_order order = std::memory_order_relaxed) const {
    return static_cast<T>(word_.load(order) & kValue);
  }
  void store(T value, std::memory_order order = std::memory_order_relaxed) {
    assert(uint64_t{value} <= kValue && "a count has 48 bits");
    word_.store(checked(value), order);
  }
  bool intact() const {
    const uint64_t word = word_.load(std::memory_order_relaxed);
    const uint64_t value = word & kValue;
    return word == checked(value) && static_cast<T>(value) == value;
  }

 private:
  static constexpr uint64_t kValue = (uint64_t{1} << 48) - 1;
  static constexpr uint64_t checked(uint64_t value) {
    uint64_t mixed = value * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u;
    return (mixed ^ mixed >> 29) >> 48 << 48 | (value & kValue);
  }
  std::atomic<uint64_t> word_;
};
static_assert(sizeof(CheckedWord<uint32_t>) == 8 && std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rec
