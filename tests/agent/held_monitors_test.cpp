// SPDX-License-Identifier: Apache-2.0
// Which objects that a frame names as locked count, by their headers. Objects and classes are words of ours here.
#include "agent/hotspot/walk/held_monitors.h"

#include <doctest/doctest.h>

#include <array>

using namespace rec::agent;

namespace {

constexpr uint64_t kMarkedUnlocked = 1, kMarkedBiasable = 5, kBiasedTo = 0x7f0000001c00;

struct LockedObject {
  std::array<uint64_t, 2> symbol{0x6949'0000'0000'0002, 0};  // its length, and the text "Ii" behind six bytes
  std::array<uint64_t, 4> klass{}, mirror{};
  uint64_t handle = reinterpret_cast<uint64_t>(mirror.data());
  std::array<uint64_t, 2> object{};
  uint64_t slot = reinterpret_cast<uint64_t>(object.data());
  Layout layout;

  LockedObject() {
    layout.symbol.length = 0, layout.symbol.body = 6;
    layout.klass.name = 8, layout.klass.mirror = 16, layout.mirror.klass = 24;
    layout.object.klass_word = Layout::Object::KlassWord::kWide, layout.object.klass = 8;
    klass[1] = reinterpret_cast<uint64_t>(symbol.data());
    klass[2] = reinterpret_cast<uint64_t>(&handle);
    mirror[3] = object[1] = reinterpret_cast<uint64_t>(klass.data());
  }

  size_t held(uint64_t mark) {
    object[0] = mark;
    return read_monitors(layout, {{0, MonitorSlot::Kind::kWord, false, reinterpret_cast<uint64_t>(&slot)}}).size();
  }
};

}  // namespace

TEST_CASE("an object that a frame has locked counts while its header says that it is locked") {
  LockedObject locked;
  CHECK(locked.held(0x7f0000002000) == 1);      // by a stack lock
  CHECK(locked.held(0x7f0000002000 | 2) == 1);  // by a monitor
  CHECK(locked.held(kMarkedUnlocked) == 0);
  CHECK(locked.held(0x123400 | kMarkedUnlocked) == 0);  // with a hash
}

TEST_CASE("an object that is biased towards a thread counts, and one that is not yet does not") {
  LockedObject locked;
  CHECK(locked.held(kBiasedTo | kMarkedBiasable) == 1);
  CHECK(locked.held(kMarkedBiasable) == 0);
}
