// SPDX-License-Identifier: Apache-2.0
// What weak references of the generational ZGC prove, by pages and words that we made.
#include "agent/hotspot/vm/old_generation.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>

using namespace rec::agent;

namespace {

constexpr uint64_t kHeapBase = 1ull << 42, kGranule = 1ull << 21;

// A heap of two granules: in the first there is a page, in the second none.
struct Heap {
  Heap() {
    layout.object.reference = Layout::Object::Reference::kColoured;
    layout.heap.collected_heap = reinterpret_cast<uint64_t>(&collected);
    layout.heap.total_collections = 8;
    layout.zgc.good_colours = reinterpret_cast<uint64_t>(&good);
    layout.zgc.bad_colours = reinterpret_cast<uint64_t>(&bad);
    layout.zgc.offset_mask = kHeapBase - 1;
    layout.zgc.granule_shift = 21;
    layout.zgc.pages = reinterpret_cast<uint64_t>(table.data());
    layout.zgc.page_start = 16;
    layout.zgc.page_sequence = 4;
    old.open(layout);
  }
  void page(uint8_t generation, uint8_t age, uint32_t sequence) {
    const uint8_t head[] = {0, generation, age, 0};
    std::memcpy(words.data(), head, sizeof head);
    std::memcpy(reinterpret_cast<char*>(words.data()) + 4, &sequence, sizeof sequence);
    words[2] = 0, words[3] = kGranule;
    table[0] = reinterpret_cast<uint64_t>(words.data());
  }
  // Of a weak reference to the object at this offset.
  uint32_t in_since(uint64_t offset) {
    slot = (kHeapBase | offset) << 13 | 0x1000;
    return old.in_since(reinterpret_cast<const char*>(&slot) + 1);
  }
  void counts(uint32_t begun, int colour) {
    heap[3] = begun;
    good = 0x1000ull << colour;
  }

  std::array<uint32_t, 4> heap{};
  uint64_t collected = reinterpret_cast<uint64_t>(heap.data());
  uint64_t good = 0x1000, bad = 0, slot = 0;
  std::array<uint64_t, 4> words{};
  std::array<uint64_t, 2> table{};
  Layout layout;
  OldGeneration old;
};

}  // namespace

TEST_CASE("a collection of the old generation is over when the colour has changed") {
  Heap heap;
  REQUIRE(heap.old.known());
  struct Case {
    uint32_t begun;
    int colour;
    uint32_t over;
  };
  constexpr Case kCases[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 1},
                             {2, 2, 1}, {2, 3, 1}, {2, 0, 2}, {3, 2, 3}};
  for (const Case& each : kCases) {
    CAPTURE(each.begun);
    CAPTURE(each.colour);
    heap.counts(each.begun, each.colour);
    CHECK(heap.old.collections().begun == each.begun);
    CHECK(heap.old.collections().over == each.over);
  }
}

TEST_CASE("an object is old by its page, and as long as the page is") {
  Heap heap;
  heap.page(1, 15, 4);
  CHECK(heap.in_since(0x1000) == 3);
  CHECK(heap.in_since(kGranule + 0x1000) == OldGeneration::kNever);  // no page
  heap.page(0, 3, 4);
  CHECK(heap.in_since(0x1000) == OldGeneration::kNever);
  heap.page(0, 0, 4);
  CHECK(heap.in_since(0x1000) == OldGeneration::kNever);
  heap.page(1, 14, 4);  // a page that is laid out in another way
  CHECK(heap.in_since(0x1000) == OldGeneration::kNever);
  heap.slot = 0;
  CHECK(heap.old.in_since(&heap.slot) == OldGeneration::kNever);
}

TEST_CASE("what is not open, or of another collector, tells nothing") {
  const OldGeneration closed;
  const uint64_t slot = 0;
  CHECK_FALSE(closed.known());
  CHECK(closed.collections().begun == 0);
  CHECK(closed.in_since(&slot) == OldGeneration::kNever);
  Heap heap;
  heap.layout.object.reference = Layout::Object::Reference::kNarrow;
  heap.old.open(heap.layout);
  CHECK_FALSE(heap.old.known());
}
