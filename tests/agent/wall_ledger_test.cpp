// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_ledger.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace rec::agent;

namespace {

constexpr int64_t kMs = 1'000'000, kInterval = 50 * kMs;
constexpr uint64_t kHere = 7, kThere = 8;

// A thread whose time passes as it is told to; who looks writes down what the ledger gives.
struct Looked {
  WallLedger ledger{WallLedger::CpuTime::kHere, 0, 0, 0};
  int64_t now = 0, cpu = 0, delay = 0, frozen = 0;
  std::map<uint64_t, int64_t> stood, ran;  // by place

  void take(const WallLedger::Over& over) {
    if (over.stood) stood[over.stood->place] += over.stood->length_ns;
    if (over.ran) ran[over.ran->place] += over.ran->length_ns;
  }
  void pass(int64_t run_ns, int64_t other_ns) { now += run_ns + other_ns, cpu += run_ns; }
  void wait(int64_t ns) { now += ns, delay += ns; }
  void freeze(int64_t ns) { now += ns, frozen += ns; }
  void stands(uint64_t place) { take(ledger.look({now, cpu, delay, frozen, WallDoes::kStands, place})); }
  void runs() { take(ledger.look({now, cpu, delay, frozen, WallDoes::kRuns, 0})); }
  void waits() { take(ledger.look({now, cpu, delay, frozen, WallDoes::kWaitsForCpu, 0})); }
  void ends(bool running = false) {
    take(ledger.end({now, cpu, delay, frozen, running ? WallDoes::kRuns : WallDoes::kStands, running ? 0 : kHere}));
  }
  static int64_t sum(const std::map<uint64_t, int64_t>& of) {
    int64_t all = 0;
    for (const auto& [place, ns] : of) all += ns;
    return all;
  }
};

}  // namespace

TEST_CASE("wall: a thread that sleeps is one span, however often it is looked at") {
  Looked thread;
  for (int i = 0; i < 10; ++i) thread.pass(0, kInterval), thread.stands(kHere);
  CHECK(thread.stood.empty());
  CHECK(thread.ledger.standing_ns() == 10 * kInterval);
  const auto cut = thread.ledger.cut();
  REQUIRE(cut);
  CHECK(cut->place == kHere);
  CHECK(cut->begin_ticks == 0);
  CHECK(cut->length_ns == 10 * kInterval);
  CHECK_FALSE(thread.ledger.cut());
  thread.pass(0, kMs), thread.stands(kHere);
  CHECK(thread.ledger.cut()->begin_ticks == 10 * kInterval);
}

TEST_CASE("wall: a place that has another number is the same place") {
  Looked thread;
  thread.stands(kHere);
  thread.pass(0, kInterval), thread.stands(kHere);
  thread.ledger.stands_at(kThere);
  thread.pass(0, kInterval), thread.stands(kThere);
  CHECK(thread.stood.empty());
  CHECK(thread.ledger.standing_ns() == 2 * kInterval);
  CHECK(thread.ledger.cut()->place == kThere);
}

TEST_CASE("wall: between two places the time is halved, and what it ran is neither's") {
  Looked thread;
  thread.stands(kHere);
  thread.pass(10 * kMs, 40 * kMs);
  thread.stands(kThere);
  CHECK(thread.stood[kHere] == 20 * kMs);
  CHECK(thread.ledger.standing_ns() == 20 * kMs);
  CHECK(thread.ran.empty());
  thread.pass(5 * kMs, 45 * kMs);
  thread.runs();
  CHECK(thread.stood[kThere] == 65 * kMs);
  CHECK(thread.ran[0] == 15 * kMs);
}

TEST_CASE("wall: a thread that is always found running has all of its time") {
  Looked thread;
  for (int i = 0; i < 100; ++i) thread.pass(25 * kMs, 25 * kMs), thread.runs();
  thread.ends(true);
  CHECK(thread.stood.empty());
  CHECK(thread.ran[0] == 100 * kInterval);
}

TEST_CASE(
    "wall: waits for a CPU that the kernel has counted are time that a thread ran, wherever it is met behind them") {
  Looked thread;
  thread.runs();
  thread.pass(10 * kMs, 0), thread.wait(70 * kMs), thread.pass(0, 10 * kMs), thread.stands(kHere);
  CHECK(thread.ledger.standing_ns() == 10 * kMs);
  thread.pass(10 * kMs, 20 * kMs), thread.wait(70 * kMs), thread.runs();
  CHECK(thread.stood[kHere] == 30 * kMs);
  CHECK(thread.ran[0] == 160 * kMs);
  thread.wait(30 * kMs), thread.pass(20 * kMs, 0), thread.runs();
  CHECK(thread.ran[0] == 210 * kMs);
}

TEST_CASE("wall: where one waits that stood, half of the time is its place's, until the wait is counted") {
  Looked thread;
  thread.stands(kHere);
  thread.pass(10 * kMs, 30 * kMs), thread.waits();
  CHECK(thread.stood[kHere] == 15 * kMs);
  CHECK(thread.ran[0] == 10 * kMs);
  thread.delay += 15 * kMs;
  thread.pass(5 * kMs, 0), thread.runs();
  CHECK(thread.ran[0] == 30 * kMs);
}

TEST_CASE("wall: while the process stood still a thread was where it was met, half of it on each side") {
  for (const bool ran_before : {false, true})
    for (const bool runs_behind : {false, true}) {
      Looked thread;
      ran_before ? thread.runs() : thread.stands(kHere);
      thread.freeze(2000 * kMs);
      runs_behind ? thread.runs() : thread.stands(ran_before ? kThere : kHere);
      thread.ends(runs_behind);
      const int64_t ran = 1000 * kMs * ((ran_before ? 1 : 0) + (runs_behind ? 1 : 0));
      CHECK(Looked::sum(thread.ran) == ran);
      CHECK(Looked::sum(thread.stood) == 2000 * kMs - ran);
    }
}

TEST_CASE("wall: a look that puts a thread off its CPU itself gives it no wait") {
  Looked thread;
  for (int i = 0; i < 50; ++i) {
    thread.pass(10 * kMs, 30 * kMs), thread.stands(kHere);
    thread.pass(10 * kMs, 30 * kMs), thread.waits();
  }
  thread.ends();
  CHECK(Looked::sum(thread.ran) == 1000 * kMs);
}

TEST_CASE("wall: a wait is counted when it is over, and what was taken for other time is it") {
  Looked thread;
  for (int i = 0; i < 3; ++i) thread.pass(0, kInterval), thread.waits();
  CHECK(thread.ran.empty());
  thread.delay += 3 * kInterval;
  thread.pass(kMs, 0), thread.runs();
  CHECK(thread.ran[0] == 3 * kInterval + kMs);
}

TEST_CASE("wall: a thread that is never found running has the time that it ran where it stands") {
  Looked thread;
  for (int i = 0; i < 100; ++i) thread.pass(5 * kMs, 45 * kMs), thread.stands(kHere);
  CHECK(thread.ran[kHere] >= 300 * kMs);
  thread.ends();
  CHECK(thread.ran[kHere] == 500 * kMs);
  CHECK(thread.stood[kHere] == 4500 * kMs);
}

TEST_CASE("wall: what nobody answered for is asked again") {
  Looked thread;
  thread.pass(20 * kMs, 0), thread.runs();
  CHECK(thread.ran[0] == 20 * kMs);
  thread.ledger.give_back(20 * kMs);
  thread.pass(10 * kMs, 0), thread.runs();
  CHECK(thread.ran[0] == 50 * kMs);  // 20 of it twice: given back, and given out again
}

TEST_CASE("wall: CPU time that the thread writes itself is taken off, and waits for a CPU are over at each look") {
  WallLedger ledger(WallLedger::CpuTime::kElsewhere, 0, 0, 0);
  CHECK_FALSE(ledger.look({10 * kMs, 10 * kMs, 0, 0, WallDoes::kRuns, 0}).ran);
  CHECK_FALSE(ledger.look({50 * kMs, 20 * kMs, 0, 0, WallDoes::kStands, kHere}).ran);
  CHECK(ledger.standing_ns() == 30 * kMs);
  const auto over = ledger.look({100 * kMs, 30 * kMs, 4 * kMs, 0, WallDoes::kRuns, 0});
  REQUIRE(over.stood);
  CHECK(over.stood->length_ns == 66 * kMs);
  REQUIRE(over.ran);
  CHECK(over.ran->length_ns == 4 * kMs);
  const auto asleep = ledger.look({200 * kMs, 40 * kMs, 64 * kMs, 0, WallDoes::kStands, kHere});
  REQUIRE(asleep.ran);
  CHECK(asleep.ran->length_ns == 60 * kMs);
  CHECK(ledger.standing_ns() == 30 * kMs);
}

TEST_CASE("damage: clocks that step back give no time") {
  Looked thread;
  thread.pass(10 * kMs, 10 * kMs), thread.stands(kHere);
  thread.now -= 5 * kMs, thread.cpu -= 7 * kMs;
  thread.stands(kThere);
  CHECK(thread.stood[kHere] == 10 * kMs);
  CHECK(thread.ledger.standing_ns() == 0);
}

TEST_CASE("wall: looks at random moments find each part's share, and the sum to the nanosecond") {
  // 3 ms on a CPU, 7 asleep here, 10 there, over and over.
  constexpr int64_t kRun = 3 * kMs, kSleep = 7 * kMs, kRest = 10 * kMs, kRound = kRun + kSleep + kRest;
  std::mt19937_64 random(42);
  std::uniform_int_distribution<int64_t> gap(kInterval / 2, 3 * kInterval / 2);
  Looked thread;
  for (int i = 0; i < 20'000; ++i) {
    thread.now += gap(random);
    const int64_t rounds = thread.now / kRound, in_round = thread.now % kRound;
    thread.cpu = rounds * kRun + std::min(in_round, kRun);
    if (in_round < kRun)
      thread.runs();
    else
      thread.stands(in_round < kRun + kSleep ? kHere : kThere);
  }
  thread.ends();
  CHECK(Looked::sum(thread.ran) + Looked::sum(thread.stood) == thread.now);
  // By chance it was found running several times, as one that waits for CPUs is.
  CHECK(static_cast<double>(Looked::sum(thread.ran)) ==
        doctest::Approx(static_cast<double>(thread.cpu)).epsilon(0.005));
  const double here = static_cast<double>(thread.stood[kHere]) / static_cast<double>(thread.now);
  CHECK(here == doctest::Approx(0.35).epsilon(0.02));
  CHECK(static_cast<double>(thread.ran[0]) / static_cast<double>(thread.cpu) > 0.8);
}
