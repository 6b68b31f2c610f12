// SPDX-License-Identifier: Apache-2.0
// Which words count as classes: what a class' mirror says of it. Classes, mirrors and handles are arrays of words here.
#include "agent/hotspot/vm/object_class.h"

#include <doctest/doctest.h>

#include <array>

using namespace rec::agent;

namespace {

constexpr uint32_t kNameAt = 8, kMirrorAt = 16, kKlassAt = 24;

using ObjectWords = std::array<uint64_t, 4>;

uint64_t address_of_words(const ObjectWords& words) { return reinterpret_cast<uint64_t>(words.data()); }
uint64_t address_of_words(const uint64_t& word) { return reinterpret_cast<uint64_t>(&word); }

Layout layout() {
  Layout layout;
  layout.klass.name = kNameAt;
  layout.klass.mirror = kMirrorAt;
  layout.mirror.klass = kKlassAt;
  return layout;
}

// An array's two classes, as JDK 28 has them: `first` is the one that the mirror leads to.
struct TwoArrayClasses {
  ObjectWords mirror{}, first{}, refined{};
  uint64_t handle = address_of_words(mirror), handle_of_refined = handle;
  uint64_t name = 0x1000;

  TwoArrayClasses() {
    mirror[kKlassAt / 8] = address_of_words(first);
    first[kNameAt / 8] = refined[kNameAt / 8] = name;
    first[kMirrorAt / 8] = address_of_words(handle);
    refined[kMirrorAt / 8] = address_of_words(handle_of_refined);
  }
};

}  // namespace

TEST_CASE("a class counts if its mirror leads back to it") {
  const TwoArrayClasses array;
  CHECK(is_klass(layout(), address_of_words(array.first)));
  CHECK_FALSE(is_klass(layout(), address_of_words(array.first) + 8));
  CHECK_FALSE(is_klass(layout(), 0));
}

TEST_CASE("a class of arrays counts if its mirror leads to another one of its name and its mirror") {
  const TwoArrayClasses array;
  CHECK(is_klass(layout(), address_of_words(array.refined)));
}

TEST_CASE("damage: what only has the mirror or only the name of a class is none") {
  TwoArrayClasses array;
  array.refined[kNameAt / 8] = 0x2000;
  CHECK_FALSE(is_klass(layout(), address_of_words(array.refined)));
  array.refined[kNameAt / 8] = 0;
  CHECK_FALSE(is_klass(layout(), address_of_words(array.refined)));
  TwoArrayClasses other;
  other.refined[kNameAt / 8] = array.name;
  other.handle = 0x77;  // the first one's mirror is elsewhere
  CHECK_FALSE(is_klass(layout(), address_of_words(other.refined)));
}
