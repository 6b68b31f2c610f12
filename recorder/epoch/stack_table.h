// SPDX-License-Identifier: Apache-2.0
// StackTable finds a stack by its frames, and a place of native code by its address: open addressing in generations of doubling capacity, all reserved at start.
//
//   generation 0: 2^12 words | 1: 2^13 | ... | 8: 2^20        word: 0, or high half of the hash << 32 | arena unit
//
// Words are set once (compare-and-swap from 0) and never removed, so within a generation a probe may stop at the first
// 0. New stacks go to the newest generation; when its probe window is full the next one opens. Lookups go from the
// newest to the oldest. Two threads that meet at the change of generations may enter one stack twice: two ids for equal
// content, which is harmless. find() and enter() are signal-safe.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "recorder/spool/limits.h"
#include "recorder/spool/reserved.h"

namespace rec {

class StackTable {
 public:
  bool reserve();
  void clear();  // recorder thread, nobody pinned
  void leak() { memory_.leak(); }
  bool nearly_full() const { return newest_.load(std::memory_order_relaxed) + 1 == kGenerations; }

  // same(unit) compares frames exactly. Gives the unit of an equal stack, or 0.
  template <typename Same>
  uint32_t find(uint64_t hash, const Same& same) const {
    // acquire: pairs with the exchange in open_generation(). An old answer costs a second copy of a stack, no more.
    for (unsigned generation = newest_.load(std::memory_order_acquire) + 1; generation-- > 0;)
      if (const uint32_t unit = probe(generation, hash, same)) return unit;
    return 0;
  }
  // Enters `unit`. Gives the unit that stands in the table: `unit`, or an equal one that was faster; 0: the table is
  // full.
  template <typename Same>
  uint32_t enter(uint64_t hash, uint32_t unit, const Same& same) {
    assert(unit != 0 && "unit 0 is nothing: a word of 0 is free");
    // acquire: pairs with the exchange in open_generation(), as in find().
    for (unsigned generation = newest_.load(std::memory_order_acquire); generation < kGenerations; ++generation) {
      open_generation(generation);
      if (const uint32_t winner = insert(generation, hash, unit, same)) return winner;
    }
    return 0;
  }

 private:
  static constexpr unsigned kGenerations = kLastStackTableBits - kFirstStackTableBits + 1;
  using Word = std::atomic<uint64_t>;

  static constexpr uint64_t tag_of(uint64_t hash) { return hash & 0xFFFFFFFF00000000u; }
  static constexpr uint32_t unit_of(uint64_t word) { return static_cast<uint32_t>(word); }
  Word& word(unsigned generation, uint64_t hash, unsigned step) const {
    const uint64_t capacity = uint64_t{1} << (kFirstStackTableBits + generation);
    const uint64_t start = capacity - (uint64_t{1} << kFirstStackTableBits);  // the sum of all smaller generations
    return words_[start + ((hash + step) & (capacity - 1))];
  }
  void open_generation(unsigned generation) {
    unsigned newest = newest_.load(std::memory_order_relaxed);
    // acq_rel: pairs with the acquires in find() and enter(). It only grows; the generation's words are there from
    // start.
    while (newest < generation && !newest_.compare_exchange_weak(newest, generation, std::memory_order_acq_rel)) {
    }
  }

  template <typename Same>
  uint32_t probe(unsigned generation, uint64_t hash, const Same& same) const {
    for (unsigned step = 0; step < kStackProbes; ++step) {
      // acquire: pairs with the exchange in insert(); the stack's frames are complete.
      const uint64_t seen = word(generation, hash, step).load(std::memory_order_acquire);
      if (seen == 0) return 0;
      if (tag_of(seen) == tag_of(hash) && same(unit_of(seen))) return unit_of(seen);
    }
    return 0;
  }
  template <typename Same>
  uint32_t insert(unsigned generation, uint64_t hash, uint32_t unit, const Same& same) {
    for (unsigned step = 0; step < kStackProbes; ++step) {
      Word& place = word(generation, hash, step);
      // acquire: pairs with the exchange below, of who was faster: same() reads that stack's frames.
      uint64_t seen = place.load(std::memory_order_acquire);
      // acq_rel: pairs with the acquires in probe() and above; when it fails, with the exchange of who was faster.
      if (seen == 0 && place.compare_exchange_strong(seen, tag_of(hash) | unit, std::memory_order_acq_rel)) return unit;
      if (tag_of(seen) == tag_of(hash) && same(unit_of(seen))) return unit_of(seen);
    }
    return 0;
  }

  Reserved memory_;
  Word* words_ = nullptr;
  std::atomic<unsigned> newest_{0};
};

}  // namespace rec
