// SPDX-License-Identifier: Apache-2.0
// What looks at a VM's counters tell of the safepoints between them: the VM here is a list of what it would note.
#include "agent/safepoint/safepoint_track.h"

#include <doctest/doctest.h>

using namespace rec::agent;

namespace {

constexpr int64_t operator""_ms(unsigned long long ms) { return static_cast<int64_t>(ms) * 1'000'000; }

// A VM with one thread of time. tell: whether its words can be read, or only its counters.
struct SimulatedVm {
  explicit SimulatedVm(bool tells) : tell(tells) { track.begin(look(), now); }

  void ask(uint32_t type = 1) {
    now += 1_ms;
    ++counts.requested;
    parts = {.asked = now, .ended_before = parts.ended};
    current = type;
    phase = SafepointPhase::kPending;
  }
  void reach(int64_t after) {
    now = parts.reached = parts.asked + after;
    counts.sync_ns += static_cast<uint64_t>(after);
    phase = SafepointPhase::kStanding;
  }
  void end(int64_t after) {
    now = parts.ended = parts.reached + after;
    counts.stopped_ns += static_cast<uint64_t>(after);
    phase = SafepointPhase::kNone;
  }
  void whole(int64_t reaching, int64_t standing, uint32_t type = 1) { ask(type), reach(reaching), end(standing); }

  SafepointLook look() const {
    SafepointLook look{.counts = counts};
    if (tell) look.phase = phase, look.parts = parts, look.type = current;
    return look;
  }
  SafepointTrack::News news() { return track.look(look(), now); }

  const bool tell;
  SafepointTrack track;
  int64_t now = 1000_ms;
  SafepointCounts counts{7, 70_ms, 700_ms};
  SafepointParts parts{.asked = 1, .reached = 2, .ended = 3};
  uint32_t current = 0;
  SafepointPhase phase = SafepointPhase::kNone;
};

}  // namespace

TEST_CASE("a safepoint between two looks has its own length, whether the VM tells or only counts") {
  for (const bool tell : {true, false}) {
    SimulatedVm vm(tell);
    vm.whole(20_ms, 5_ms);
    const auto news = vm.news();
    REQUIRE(news.reached.size() == 1);
    CHECK(news.reached[0].first == 8);
    CHECK(news.reached[0].length_ns == 20_ms);
    CHECK_FALSE(vm.track.request());
  }
}

TEST_CASE("one that waits is a request, and reached with the length that the VM notes") {
  for (const bool tell : {true, false}) {
    SimulatedVm vm(tell);
    vm.ask(4);
    const int64_t asked = vm.now;
    vm.now += 3_ms;
    CHECK(vm.news().reached.empty());
    REQUIRE(vm.track.request());
    CHECK(vm.track.request()->number == 8);
    CHECK(vm.track.waits(vm.counts));
    if (tell) CHECK(vm.track.request()->seen_ticks == asked);  // exactly, though it was seen later
    vm.reach(40_ms);
    CHECK_FALSE(vm.track.waits(vm.counts));
    const auto news = vm.news();
    REQUIRE(news.reached.size() == 1);
    CHECK(news.reached[0].length_ns == 40_ms);
    CHECK(news.reached[0].type == (tell ? std::optional<uint32_t>(4) : std::nullopt));
    CHECK_FALSE(vm.track.request());
  }
}

TEST_CASE("race: the next request, seen in the same look as the end of one, is not swallowed") {
  for (const bool tell : {true, false}) {
    SimulatedVm vm(tell);
    vm.ask();
    vm.news();
    vm.reach(40_ms), vm.end(1_ms);
    vm.ask(2);
    const auto news = vm.news();
    REQUIRE(news.reached.size() == 1);
    CHECK(news.reached[0].first == 8);
    CHECK(news.reached[0].length_ns == 40_ms);
    CHECK(news.reached[0].count == (tell ? 1 : 2));  // who only counts does not know that the second waits
    REQUIRE(vm.track.request());
    CHECK(vm.track.request()->number == 9);
    vm.reach(30_ms);
    const auto later = vm.news();
    REQUIRE(later.reached.size() == 1);
    CHECK(later.reached[0].first == 9);
    CHECK(later.reached[0].length_ns == 30_ms);
  }
}

TEST_CASE("race: of two that were reached between two looks, each has its own length if the VM tells") {
  SimulatedVm vm(true);
  vm.whole(15_ms, 1_ms, 4);
  vm.whole(25_ms, 1_ms, 5);
  const auto news = vm.news();
  REQUIRE(news.reached.size() == 2);
  CHECK(news.reached[0].length_ns == 15_ms);
  CHECK_FALSE(news.reached[0].type);  // nobody saw it
  CHECK(news.reached[1].length_ns == 25_ms);
  CHECK(news.reached[1].type == 5);

  SimulatedVm silent(false);
  silent.whole(15_ms, 1_ms);
  silent.whole(25_ms, 1_ms);
  const auto sum = silent.news();
  REQUIRE(sum.reached.size() == 1);
  CHECK(sum.reached[0].count == 2);
  CHECK(sum.reached[0].length_ns == 40_ms);
}

TEST_CASE("race: words that do not hold still, or are ahead of the sum, wait for the next look") {
  SimulatedVm vm(true);
  vm.ask();
  vm.news();
  SafepointLook moving = vm.look();
  moving.phase = SafepointPhase::kMoving;
  CHECK(vm.track.look(moving, vm.now).reached.empty());
  CHECK(vm.track.request());
  vm.reach(12_ms);
  SafepointLook early = vm.look();
  early.counts.sync_ns -= static_cast<uint64_t>(12_ms);
  CHECK(vm.track.look(early, vm.now).reached.empty());
  const auto news = vm.news();
  REQUIRE(news.reached.size() == 1);
  CHECK(news.reached[0].length_ns == 12_ms);
}

TEST_CASE("a stop has all its parts when it is over, also when the next was asked for meanwhile") {
  SimulatedVm vm(true);
  vm.whole(2_ms, 30_ms, 6);
  auto news = vm.news();
  REQUIRE(news.stops.size() == 1);
  CHECK(news.stops[0].number == 8);
  CHECK(news.stops[0].type == 6);
  CHECK(news.stops[0].parts.ended - news.stops[0].parts.reached == 30_ms);
  CHECK(vm.news().stops.empty());  // once

  vm.ask(7), vm.reach(1_ms);
  vm.news();
  vm.end(50_ms);
  vm.ask(2);
  news = vm.news();
  REQUIRE(news.stops.size() == 1);
  CHECK(news.stops[0].number == 9);
  CHECK(news.stops[0].type == 7);
  CHECK(news.stops[0].parts.ended - news.stops[0].parts.reached == 50_ms);
  CHECK(news.stops_unseen == 0);
}

TEST_CASE("stops that nobody saw are counted, with the time that they may have taken") {
  SimulatedVm vm(true);
  for (int i = 0; i < 3; ++i) vm.whole(1_ms, 20_ms);
  const auto news = vm.news();
  CHECK(news.stops.size() == 1);
  CHECK(news.stops_unseen == 2);
  CHECK(news.unseen_ns == 63_ms);
}

TEST_CASE("a request that is only counted and may be over is doubted until the next one comes") {
  SimulatedVm vm(false);
  vm.whole(1_ms, 1_ms);
  vm.whole(1_ms, 1_ms);
  vm.news();
  REQUIRE(vm.track.request());
  CHECK_FALSE(vm.track.request()->certain);
  vm.track.doubt();
  vm.whole(33_ms, 1_ms);
  const auto news = vm.news();
  REQUIRE(news.reached.size() == 1);
  CHECK(news.reached[0].first == 10);
  CHECK(news.reached[0].length_ns == 33_ms);
}

TEST_CASE("what is asked for between the first counts and the first look at words is told whole") {
  for (const bool over : {true, false}) {
    SimulatedVm vm(true);
    SafepointTrack track;
    track.begin({.counts = vm.counts}, vm.now);
    vm.ask(4), vm.reach(20_ms);
    if (over) vm.end(5_ms);
    const auto news = track.look(vm.look(), vm.now);
    REQUIRE(news.reached.size() == 1);
    CHECK(news.reached[0].length_ns == 20_ms);
    CHECK(news.reached[0].type == 4);
    CHECK(news.stops.size() == (over ? 1 : 0));
    CHECK(news.stops_unseen == 0);
  }
}

TEST_CASE("race: a stop that was seen to begin, and whose end two others hide, counts with what was seen of it") {
  SimulatedVm vm(true);
  vm.ask(), vm.reach(20_ms);
  vm.news();
  vm.end(1_ms);
  vm.whole(1_ms, 1_ms), vm.whole(1_ms, 1_ms);
  const auto news = vm.news();
  CHECK(news.stops.size() == 1);
  CHECK(news.stops_unseen == 2);
  CHECK(news.unseen_ns >= 20_ms);
}

TEST_CASE(
    "without sums the last of several has its own length, and those before it are counted with the time they had") {
  SimulatedVm vm(true);
  vm.counts.has_sums = false;
  vm.track.begin(vm.look(), vm.now);
  vm.whole(20_ms, 5_ms);
  vm.whole(30_ms, 1_ms);
  vm.counts.sync_ns -= static_cast<uint64_t>(20_ms);  // nobody saw the first one
  vm.counts.stopped_ns -= static_cast<uint64_t>(5_ms);
  const auto news = vm.news();
  REQUIRE(news.reached.size() == 1);
  CHECK(news.reached[0].first == 9);
  CHECK(news.reached[0].length_ns == 30_ms);
  CHECK(news.unsummed == 1);
  CHECK(news.unsummed_ns == 27_ms);  // from the look before until the last was asked for
  CHECK(news.stops_unseen == 1);
  CHECK(news.unseen_ns == 27_ms);
  vm.whole(12_ms, 1_ms);
  CHECK(vm.news().unsummed == 0);
}
