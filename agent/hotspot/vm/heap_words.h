// SPDX-License-Identifier: Apache-2.0
// HeapWords tells how full the Java heap is, from the collectors' own words, which vmStructs export. Where heap_used()
// (heap_usage.h) needs a thread that Java knows, this needs none: the housekeeper reads it, and callbacks in collections.
//
//   G1            G1CollectedHeap::_summary_bytes_used: without the regions that are just being filled
//   Parallel      top - bottom of eden, from and old
//   Serial        likewise
//   ZGC           ZPageAllocator::_used, pages that are in use; to 24
//   Shenandoah    ShenandoahHeap::_used; to 24
//
// From 25 on the tables say nothing of the last two. Signal-safe but for open().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

struct AddressRange {
  uint64_t begin = 0, end = 0;
};

// Where compiled code lies; empty: not known. Ordinary threads; slow.
AddressRange code_cache_range();

class HeapWords {
 public:
  void open();  // once the heap is there; an ordinary thread
  bool known() const { return words_ != 0 || spaces_ != 0; }
  int64_t used() const;                                // bytes; -1: not known
  AddressRange reserved() const { return reserved_; }  // empty: not known (ZGC, which places its heap otherwise)

 private:
  // Where the pointer to a space is, and of what kind of space: eden may be another object after a collection.
  struct Space {
    uint64_t pointer;
    uint32_t bottom, top;
  };
  class Finder;
  static constexpr size_t kMost = 4;

  std::array<uint64_t, kMost> word_{};  // addresses of numbers, which add up
  std::array<Space, kMost> space_{};
  size_t words_ = 0, spaces_ = 0;
  AddressRange reserved_;
};

}  // namespace rec::agent
