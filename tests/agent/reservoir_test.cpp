// SPDX-License-Identifier: Apache-2.0
// What is kept of many things that come and go, and what it stands for.
#include "agent/heap/reservoir.h"

#include <doctest/doctest.h>

#include <array>

#include "agent/heap/live_table.h"

using namespace rec::agent;

TEST_CASE("a reservoir with room keeps each, and each counts once") {
  Reservoir reservoir(8);
  std::vector<uint32_t> let_go;
  for (int i = 0; i < 8; ++i) CHECK(reservoir.standing(reservoir.add({0, 0}, let_go)).doublings == 0);
  CHECK(let_go.empty());
  CHECK(reservoir.held() == 8);
  reservoir.remove(3);
  CHECK(!reservoir.holds(3));
  CHECK(reservoir.add({}, let_go) == 3);
}

TEST_CASE("a full reservoir lets go without regard to age, and what is kept counts for the rest") {
  constexpr int kKinds = 4, kEach = 20'000, kRuns = 20;
  std::array<double, kKinds> told{};
  for (uint64_t run = 0; run < kRuns; ++run) {
    Reservoir reservoir(1000, run * 77 + 1);
    std::vector<int> kind_at(1000, -1);
    std::vector<uint32_t> let_go;
    for (int i = 0; i < kKinds * kEach; ++i) {  // kind by kind: the oldest have come long before the youngest
      const uint32_t place = reservoir.add({}, let_go);
      if (place != Reservoir::kNowhere) kind_at[place] = i / kEach;
    }
    CHECK(reservoir.held() > 400);
    for (uint32_t place = 0; place < 1000; ++place)
      if (reservoir.holds(place))
        told[static_cast<size_t>(kind_at[place])] += 1u << reservoir.standing(place).doublings;
  }
  for (const double each : told) CHECK(each / (kEach * kRuns) == doctest::Approx(1).epsilon(0.06));
}

TEST_CASE("when most have died newcomers count for less again") {
  Reservoir reservoir(100);
  std::vector<uint32_t> let_go;
  for (int i = 0; i < 1000; ++i) reservoir.add({}, let_go);
  CHECK(reservoir.level() > 0);
  for (uint32_t place = 0; place < 100; ++place)
    if (reservoir.holds(place)) reservoir.remove(place);
  for (int i = 0; i < 10; ++i) reservoir.relax();
  CHECK(reservoir.level() == 0);
  CHECK(reservoir.standing(reservoir.add({0, 0}, let_go)).doublings == 0);
  CHECK(reservoir.standing(reservoir.add({3, 0}, let_go)).doublings == 3);
}

namespace {

LiveEntry entry(uint64_t number) {
  LiveEntry made;
  made.weak = reinterpret_cast<void*>(number);
  return made;
}

size_t count(LiveTable& table) {
  size_t there = 0;
  table.for_each([&](uint32_t, LiveEntry&) { ++there; });
  return there;
}

}  // namespace

TEST_CASE("what is large is told of for sure, and counts once, while what is small is halved away") {
  Reservoir reservoir(64, 7);
  std::vector<uint32_t> let_go;
  std::vector<uint32_t> large;
  for (int i = 0; i < 8; ++i) large.push_back(reservoir.add({0, 30}, let_go));
  double small = 0;
  for (int i = 0; i < 100'000; ++i) reservoir.add({}, let_go);
  for (const uint32_t place : large) {
    REQUIRE(reservoir.holds(place));
    CHECK(reservoir.standing(place).doublings == 0);
    CHECK(reservoir.standing(place).credit == 30);
  }
  for (uint32_t place = 0; place < reservoir.places(); ++place)
    if (reservoir.holds(place) && reservoir.standing(place).credit == 0)
      small += static_cast<double>(1u << reservoir.standing(place).doublings);
  CHECK(reservoir.level() > 8);
  CHECK(small > 50'000);
  CHECK(small < 200'000);
}

TEST_CASE("each weak reference is given back once, whatever becomes of its object") {
  LiveTable table;
  size_t back = 0;
  constexpr uint64_t kObjects = 50'000;
  for (uint64_t i = 1; i <= kObjects; ++i) {
    table.add(entry(i), {table.level(), 0});
    if (i % 500 == 0)
      table.for_each([&](uint32_t place, LiveEntry&) {
        if (LiveTable::is_survivor(place)) {
          if (place % 7 == 0) table.died(place);
        } else if (place % 3 == 0) {
          table.promote(place);
        } else {
          table.died(place);
        }
      });
    if (i % 500 == 0) table.looked_at_all();
    back += table.take_gone().size();
  }
  CHECK(table.survivors() > LiveTable::kCandidates / 2);
  CHECK(back + count(table) == kObjects);
  table.clear();
  CHECK(back + table.take_gone().size() == kObjects);
  CHECK(count(table) == 0);
}

TEST_CASE("what nobody has looked at does not push out what is known to live") {
  LiveTable table;
  for (uint64_t i = 1; i <= 1000; ++i) table.add(entry(i), {});
  table.for_each([&](uint32_t place, LiveEntry&) {
    if (!LiveTable::is_survivor(place)) table.promote(place);
  });
  CHECK(table.survivors() == 1000);
  for (uint64_t i = 1; i <= 100'000; ++i) table.add(entry(i), {});
  CHECK(table.survivors() == 1000);
  CHECK(table.take_dropped() > 90'000);
}
