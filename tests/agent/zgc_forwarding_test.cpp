// SPDX-License-Identifier: Apache-2.0
// Where ZGC has moved objects to, in tables that we made: two granules, a table for each generation.
#include "agent/hotspot/vm/zgc_forwarding.h"

#include <doctest/doctest.h>

#include <array>

#include "agent/hotspot/vm/heap_object.h"

using namespace rec::agent;

namespace {

constexpr uint64_t kHeapBase = 1ull << 42, kGranule = 1ull << 21;

// start, alignment shift, number of entries, and the entries. Objects lie at multiples of 8.
struct Forwarding {
  static constexpr uint64_t kEntries = 8;
  std::array<uint64_t, 3 + kEntries> words{kGranule, 3, kEntries};
  // Into the first free place, whatever the object's hash says: a full table is searched through.
  void note(uint64_t offset, uint64_t to) {
    for (uint64_t i = 3; i < words.size(); ++i)
      if (words[i] == 0) return (void)(words[i] = (offset - kGranule) >> 3 << 46 | to << 1 | 1);
  }
  void fill() {
    for (uint64_t i = 0; words.back() == 0; ++i) note(kGranule + 0x10000 + 8 * i, 0x700);
  }
};

struct Moves {
  Moves() {
    zgc.good_colours = reinterpret_cast<uint64_t>(&good);
    zgc.offset_mask = kHeapBase - 1;
    zgc.maps[0] = reinterpret_cast<uint64_t>(old_map.data());
    zgc.maps[1] = reinterpret_cast<uint64_t>(young_map.data());
    zgc.start = 0;
    zgc.shift = 8;
    zgc.length = 16;
    zgc.forwarding_size = 24;
    zgc.granule_shift = 21;
  }
  static uint64_t entry(Forwarding& forwarding) { return reinterpret_cast<uint64_t>(&forwarding); }
  // The newest address of the object at this offset, by a reference of this colour; 0: not sure.
  uint64_t newest(uint64_t offset, int colour, uint64_t others = 0, bool generational = true) {
    uint64_t to = 0;
    const uint64_t address = kHeapBase | offset;
    const uint64_t reference = address << (13 + colour) | 0x1000ull << colour | others;
    return remap(zgc, reference, address, generational, to) ? to & ~kHeapBase : 0;
  }

  uint64_t good = 0x1000;  // colour 0
  std::array<uint64_t, 2> old_map{}, young_map{};
  Forwarding old, young;
  Layout::Zgc zgc;
};

constexpr uint64_t kObject = kGranule + 0x40, kMoved = 0x12340;

}  // namespace

TEST_CASE("what lies where nothing was moved is where it was") {
  Moves moves;
  for (const int colour : {1, 2, 3}) CHECK(moves.newest(kObject, colour) == kObject);
}

TEST_CASE("a reference's colour tells which generation's moves it has not seen") {
  Moves moves;
  moves.old.note(kObject, kMoved);
  moves.old.fill();
  moves.old_map[1] = Moves::entry(moves.old);
  CHECK(moves.newest(kObject, 2) == kMoved);
  CHECK(moves.newest(kObject, 1) == kObject);  // the young generation's only
  CHECK(moves.newest(kObject, 3) == kMoved);   // both, and the young one has moved nothing there
  moves.young.note(kObject, kMoved + 8);
  moves.young.fill();
  moves.young_map[1] = Moves::entry(moves.young);
  CHECK(moves.newest(kObject, 1) == kMoved + 8);
  CHECK(moves.newest(kObject, 3) == kMoved + 8);
  CHECK(moves.newest(kObject, 3, 0x30) == kMoved);  // from one old object to another
  CHECK(moves.newest(kObject, 2) == kMoved);
}

TEST_CASE("an object that is not in the table has not been moved yet") {
  Moves moves;
  moves.old_map[1] = Moves::entry(moves.old);
  CHECK(moves.newest(kObject, 2) == kObject);
}

TEST_CASE("the collector without generations has one table") {
  Moves moves;
  moves.old.note(kObject, kMoved);
  moves.old.fill();
  moves.old_map[1] = Moves::entry(moves.old);
  CHECK(moves.newest(kObject, 1, 0, false) == kMoved);
}

TEST_CASE("an address without a colour is looked for in the table of each generation") {
  Moves moves;
  CHECK(moved_from(moves.zgc, 0, kHeapBase | kObject) == 0);
  moves.young.note(kObject, kMoved);
  moves.young.fill();
  moves.young_map[1] = Moves::entry(moves.young);
  CHECK(moved_from(moves.zgc, 0, kHeapBase | kObject) == 0);
  CHECK(moved_from(moves.zgc, 1, kHeapBase | kObject) == (kHeapBase | kMoved));
  CHECK(moved_from(moves.zgc, 1, kHeapBase | (kObject + 0x100000)) == 0);
  CHECK(moved_from(Layout::Zgc{}, 0, kHeapBase | kObject) == 0);
}

TEST_CASE("one object has one address, whatever colour the older ZGC's reference to it had") {
  Moves moves;
  Layout layout;
  layout.zgc = moves.zgc;
  const uint64_t bad = 3ull << 43;
  layout.zgc.bad_colours = reinterpret_cast<uint64_t>(&bad);
  moves.good = 1ull << 42;
  uint64_t to = 0;
  const uint64_t good_reference = moves.good | kObject, old_reference = 1ull << 43 | kObject;
  for (const uint64_t* reference : {&good_reference, &old_reference}) {
    CHECK(load_reference(layout, reinterpret_cast<uint64_t>(reference), Layout::Object::Reference::kWide, to));
    CHECK(to == (moves.good | kObject));
  }
}

TEST_CASE("damage: tables that are none move nothing anywhere") {
  Moves moves;
  moves.old_map[1] = Moves::entry(moves.old);
  moves.old.words[2] = 7;  // no power of two
  CHECK(moves.newest(kObject, 2) == 0);
  moves.old.words[2] = 8;
  moves.old.words[0] = 2 * kGranule;  // of another place
  CHECK(moves.newest(kObject, 2) == 0);
  moves.old.words[0] = kGranule;
  moves.old.fill();  // full, and the object is not in it
  CHECK(moves.newest(kObject, 2) == 0);
  moves.good = 0x3000;
  CHECK(moves.newest(kObject, 2) == 0);
  moves.zgc.maps[0] = 0;
  CHECK(moves.newest(kObject, 2) == 0);
}
