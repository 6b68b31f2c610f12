// SPDX-License-Identifier: Apache-2.0
// Collections that JNI critical sections hold up, as looks at a VM's words tell of them, and how it is found where a
// thread counts its sections: the VM here is what a test says.
#include "agent/safepoint/critical_track.h"

#include <doctest/doctest.h>

#include <array>

#include "agent/hotspot/state/critical_words.h"

using namespace rec::agent;
using Held = CriticalWords::Held;

namespace {

constexpr int64_t operator""_milli(unsigned long long ms) { return static_cast<int64_t>(ms) * 1'000'000; }

SafepointLook a_safepoint(uint64_t number, int64_t asked, int64_t reached, int64_t ended, uint32_t type = 1) {
  SafepointLook look;
  look.counts.requested = number;
  look.type = type;
  look.parts = {.asked = asked, .reached = reached, .ended = ended};
  look.phase = ended != 0 ? SafepointPhase::kNone : reached != 0 ? SafepointPhase::kStanding : SafepointPhase::kPending;
  return look;
}

}  // namespace

TEST_CASE("a collection that gave up is held up from its own safepoint to the one that collects, exactly") {
  CriticalTrack track;
  CHECK_FALSE(track.look(Held::kNo, 100_milli));
  track.note(a_safepoint(7, 102_milli, 103_milli, 104_milli, 3));
  CHECK_FALSE(track.look(Held::kGaveUp, 105_milli));
  REQUIRE(track.goes_on());
  track.note_inside(true, 180_milli);
  track.note_inside(false, 201_milli);
  track.note(a_safepoint(8, 200_milli, 201_milli, 210_milli, 4));
  const auto over = track.look(Held::kNo, 212_milli);
  REQUIRE(over);
  CHECK(over->start_ticks == 103_milli);
  CHECK(over->start_error_ns == 0);
  CHECK(over->held_until_ticks == 200_milli);
  CHECK(over->end_ticks == 210_milli);
  REQUIRE(over->gave_up);
  CHECK(over->gave_up->type == 3);
  REQUIRE(over->collection);
  CHECK(over->collection->type == 4);
  CHECK_FALSE(track.goes_on());
}

TEST_CASE("other safepoints while it is held up do not end it") {
  CriticalTrack track;
  track.look(Held::kNo, 100_milli);
  track.note(a_safepoint(7, 102_milli, 103_milli, 104_milli));
  track.look(Held::kGaveUp, 105_milli);
  track.note_inside(true, 150_milli);
  track.note(a_safepoint(8, 140_milli, 141_milli, 142_milli, 9));  // a thread dump
  CHECK_FALSE(track.look(Held::kGaveUp, 151_milli));
  track.note_inside(true, 190_milli);
  const auto over = track.look(Held::kNo, 200_milli);  // the collection was not seen
  REQUIRE(over);
  CHECK(over->held_until_ticks == 200_milli);
  CHECK(over->end_ticks == 200_milli);
  CHECK_FALSE(over->collection);
}

TEST_CASE("the safepoint before is not the one that gave up") {
  CriticalTrack track;
  track.note(a_safepoint(6, 50_milli, 51_milli, 52_milli));
  track.look(Held::kNo, 100_milli);
  track.look(Held::kGaveUp, 110_milli);
  CHECK_FALSE(track.goes_on()->gave_up);
  track.note(a_safepoint(7, 104_milli, 105_milli, 106_milli, 3));  // its words moved when it was looked before
  track.look(Held::kGaveUp, 111_milli);
  REQUIRE(track.goes_on()->gave_up);
  CHECK(track.goes_on()->gave_up->number == 7);
  CHECK(track.goes_on()->from_ticks == 105_milli);
  CHECK_FALSE(track.goes_on()->collection);
}

TEST_CASE("one that asks first is held up until its safepoint is asked for, and began between two looks") {
  CriticalTrack track;
  track.note(a_safepoint(6, 50_milli, 51_milli, 52_milli));
  track.look(Held::kNo, 100_milli);
  track.look(Held::kAsks, 104_milli);
  track.note_inside(true, 190_milli);
  track.note(a_safepoint(7, 195_milli, 196_milli, 0, 5));
  CHECK_FALSE(track.look(Held::kAsks, 197_milli));
  track.note(a_safepoint(7, 195_milli, 196_milli, 198_milli, 5));
  const auto over = track.look(Held::kNo, 199_milli);
  REQUIRE(over);
  CHECK(over->start_ticks == 102_milli);
  CHECK(over->start_error_ns == 2_milli);
  CHECK(over->held_until_ticks == 195_milli);
  CHECK(over->end_ticks == 198_milli);
  CHECK(over->collection->type == 5);
}

TEST_CASE("race: collections that follow each other at once are one stall each") {
  CriticalTrack track;
  track.look(Held::kNo, 100_milli);
  track.look(Held::kAsks, 101_milli);
  track.note_inside(true, 190_milli);
  track.note(a_safepoint(7, 191_milli, 192_milli, 195_milli));
  const auto over = track.look(Held::kAsks, 196_milli);  // for the next one already
  REQUIRE(over);
  CHECK(over->held_until_ticks == 191_milli);
  CHECK(over->end_ticks == 195_milli);
  REQUIRE(track.goes_on());
  CHECK(track.goes_on()->from_ticks == 195_milli);
  CHECK_FALSE(track.goes_on()->collection);
}

TEST_CASE("a collection that was over before is not the one that was asked for") {
  CriticalTrack track;
  track.look(Held::kNo, 100_milli);
  track.note(a_safepoint(7, 101_milli, 102_milli, 103_milli));
  track.look(Held::kAsks, 105_milli);
  CHECK_FALSE(track.goes_on()->collection);
  CHECK(track.goes_on()->from_ticks == 103_milli);
  CHECK_FALSE(track.look(Held::kAsks, 106_milli));
  CHECK(track.goes_on()->seen_ticks == 105_milli);
}

TEST_CASE("one that is there at the first look is said to be") {
  CriticalTrack track;
  track.look(Held::kAsks, 100_milli);
  REQUIRE(track.goes_on());
  CHECK(track.goes_on()->first_look);
}

TEST_CASE("without the VM's times looks tell, and who was seen to leave") {
  CriticalTrack track;
  track.look(Held::kNo, 100_milli);
  track.look(Held::kGaveUp, 104_milli);
  track.note_inside(true, 180_milli);
  track.note_inside(false, 181_milli);
  track.note_inside(false, 182_milli);
  const auto over = track.look(Held::kNo, 190_milli);
  REQUIRE(over);
  CHECK(over->held_until_ticks == 181_milli);
  CHECK(over->end_ticks == 190_milli);
  CHECK(over->start_error_ns == 2_milli);
}

TEST_CASE("one that goes on when the recording ends is broken off there") {
  CriticalTrack track;
  CHECK_FALSE(track.break_off(50_milli));
  track.look(Held::kNo, 100_milli);
  track.look(Held::kAsks, 100_milli);
  const auto open = track.break_off(150_milli);
  REQUIRE(open);
  CHECK(open->held_until_ticks == 150_milli);
  CHECK_FALSE(open->first_look);
  CHECK_FALSE(track.goes_on());
}

TEST_CASE("the word that counts with a thread's critical sections is found among others") {
  using Picture = std::vector<uint32_t>;
  std::array<Picture, std::size(kDepths)> pictures;
  // A constant, the word, a clock, one that counts the calls.
  for (uint32_t i = 0; i < pictures.size(); ++i) pictures[i] = {77, kDepths[i], 1000 + i, i};
  CHECK(slots_that_counted(pictures) == std::vector<uint32_t>{4});
  SUBCASE("a VM may have two") {
    for (Picture& each : pictures) each[0] = each[1];
    CHECK(slots_that_counted(pictures) == std::vector<uint32_t>{0, 4});
  }
  SUBCASE("many are chance") {
    for (Picture& each : pictures) each.assign(8, each[1]);
    CHECK(slots_that_counted(pictures).empty());
  }
  SUBCASE("a VM that pins objects has none") {
    for (Picture& each : pictures) each[1] = 0;
    CHECK(slots_that_counted(pictures).empty());
  }
  SUBCASE("a word that does not go back is not it") {
    pictures[4][1] = 1;
    CHECK(slots_that_counted(pictures).empty());
  }
}
