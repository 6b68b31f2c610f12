// SPDX-License-Identifier: Apache-2.0
// Which chunks of an archive others are packed with.
#include <doctest/doctest.h>

#include "format/archive/base_shelf.h"

namespace jfr::archive::test {

TEST_CASE("archive: a base serves chunks of its metadata, for a while") {
  BaseShelf shelf{Catalogue()};
  const Bases one = {{100, 50}};
  CHECK_FALSE(shelf.knows(7));
  CHECK(shelf.of(7).empty());
  shelf.add({7, one.front(), 1000});
  CHECK(shelf.of(7) == one);
  CHECK(shelf.of(8).empty());
  CHECK(shelf.newest() == one);
  shelf.use({8, {200, 60}, 1000}, one, false);
  CHECK(shelf.knows(8));
  CHECK(shelf.of(8).empty());  // the next one becomes one
  for (uint32_t i = 1; i < BaseShelf::kMostUses; ++i) shelf.use({7, {200 + i, 50}, 1000}, one, false);
  CHECK(shelf.of(7).empty());
  CHECK(shelf.newest().empty());
}

TEST_CASE("archive: the first chunks of a program are its bases together, as far as they are small") {
  BaseShelf shelf{Catalogue()};
  shelf.add({7, {100, 50}, 1000});
  CHECK(shelf.has_room(shelf.of(7), BaseShelf::kMostBytes - 1000));
  CHECK_FALSE(shelf.has_room(shelf.of(7), BaseShelf::kMostBytes - 999));
  shelf.use({8, {200, 60}, 1000}, shelf.newest(), true);  // of other metadata
  CHECK(shelf.of(7) == Bases{{100, 50}, {200, 60}});
  shelf.use({7, {300, 50}, 1000}, {{100, 50}}, true);  // packed before that one was there
  CHECK(shelf.of(7).size() == 2);
  shelf.use({7, {400, 50}, 1000}, shelf.of(7), true);
  shelf.use({7, {500, 50}, 1000}, shelf.of(7), true);
  CHECK(shelf.of(7).size() == kMostBases);
  CHECK_FALSE(shelf.has_room(shelf.of(7), 1));
}

TEST_CASE("archive: bases whose members have gone serve as before, and no more join them") {
  BaseShelf shelf{Catalogue()};
  const Bases bases = {{100, 50}, {200, 50}};
  shelf.use({7, {300, 50}, 1000}, bases, true);
  CHECK(shelf.of(7) == bases);
  CHECK_FALSE(shelf.has_room(shelf.of(7), 1));
  shelf.use({8, {400, 60}, 1000}, {{500, 60}}, false);  // whoever they are
  CHECK(shelf.of(8).empty());
}

TEST_CASE("archive: chunks of no names are no bases together, nor are those of older archives") {
  BaseShelf shelf{Catalogue()};
  shelf.add({7, {100, 50}, 1000});
  for (uint32_t i = 0; i < BaseShelf::kGrowingUses; ++i) {
    CHECK(shelf.has_room(shelf.of(7), 1));
    shelf.use({7, {200 + i, 50}, 1000}, shelf.of(7), false);
  }
  CHECK(shelf.of(7).size() == 1);
  CHECK_FALSE(shelf.has_room(shelf.of(7), 1));  // so others of it are packed side by side
  Catalogue old;
  old.version = kSeveralBasesVersion - 1;
  BaseShelf other{old};
  other.add({7, {100, 50}, 1000});
  CHECK_FALSE(other.has_room(other.of(7), 1));
}

}  // namespace jfr::archive::test
