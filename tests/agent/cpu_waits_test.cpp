// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/cpu_waits.h"

#include <doctest/doctest.h>

#include <optional>
#include <random>
#include <utility>

using namespace rec::agent;

namespace {

constexpr int64_t kMilli = 1'000'000;
using Began = CpuWaits::Began;

// A thread whose waits are known, and whom a look meets in one with the chance of its length by the interval.
struct Waiting {
  CpuWaits waits;
  Switches switches;
  int64_t counted = 0, lost = 0, interval = 20 * kMilli;
  std::mt19937 random{1};

  void look(CpuWaits::Since since = {}) {
    waits.count(counted, since, [&] { return std::optional(switches); });
  }
  void wait(Began began, int64_t ns) {
    const double chance = static_cast<double>(ns) / static_cast<double>(interval);
    if (waits.matter() && std::uniform_real_distribution<>(0, 1)(random) < chance)
      waits.found_waiting(CpuWaits::Where::kBlocked, began, 1);
    counted += ns;
    if (began == Began::kAsItLostItsCpu) lost += ns, ++switches.preempted;
    if (began == Began::kAsItWoke) ++switches.voluntary;
  }
  double shown_of_lost(int64_t shown_before, int64_t lost_before) const {
    return static_cast<double>(waits.lost_ns() - shown_before) / static_cast<double>(lost - lost_before);
  }
};

}  // namespace

TEST_CASE("waits for a CPU by a thread that never sleeps are those of one that lost it") {
  Waiting thread;
  thread.look();
  for (int i = 0; i < 10; ++i) thread.wait(Began::kAsItLostItsCpu, 5 * kMilli), thread.look();
  CHECK(thread.waits.lost_ns() == thread.lost);
}

TEST_CASE("waits for a CPU by a thread that does nothing but wake are none that it lost, once its switches were read") {
  Waiting thread;
  thread.wait(Began::kAsItWoke, 5 * kMilli), thread.look({.slept = true});
  const int64_t before = thread.waits.lost_ns();
  for (int i = 0; i < 10; ++i) thread.wait(Began::kAsItWoke, 5 * kMilli), thread.look({.slept = true});
  CHECK(thread.waits.lost_ns() == before);
}

TEST_CASE("looks tell how long the waits of one that both wakes and loses its CPU are, whatever their lengths") {
  for (const std::pair<int, int>& ms : {std::pair{8, 1}, {1, 8}, {4, 4}, {9, 3}}) {
    const int lost_ms = ms.first, woke_ms = ms.second;
    Waiting thread;
    thread.look();
    int64_t shown_before = 0, lost_before = 0;
    for (int i = 0; i < 8000; ++i) {
      thread.wait(Began::kAsItWoke, woke_ms * kMilli);
      thread.wait(Began::kAsItLostItsCpu, lost_ms * kMilli);
      thread.look();
      if (i == 300) shown_before = thread.waits.lost_ns(), lost_before = thread.lost;
    }
    CAPTURE(lost_ms);
    CAPTURE(woke_ms);
    CHECK(thread.shown_of_lost(shown_before, lost_before) == doctest::Approx(1).epsilon(0.12));
  }
}

TEST_CASE("looks are right beside times in which a thread did nothing but wake") {
  Waiting thread;
  thread.look();
  for (int i = 0; i < 12000; ++i) {
    thread.wait(Began::kAsItWoke, 2 * kMilli);
    if (i % 3 == 0) thread.wait(Began::kAsItLostItsCpu, 8 * kMilli);
    thread.look();
  }
  CHECK(thread.shown_of_lost(0, 0) == doctest::Approx(1).epsilon(0.12));
}

TEST_CASE("without a look that found it waiting the counts of switches decide, and what all threads waited is lost") {
  Waiting thread;
  thread.wait(Began::kAsItLostItsCpu, kMilli), thread.look();
  const int64_t before = thread.waits.lost_ns();
  thread.wait(Began::kAsItWoke, 3 * kMilli), thread.wait(Began::kAsItLostItsCpu, 6 * kMilli);
  thread.look();
  CHECK(thread.waits.lost_ns() - before == doctest::Approx(6 * kMilli));
  thread.wait(Began::kAsItWoke, 3 * kMilli), thread.wait(Began::kAsItLostItsCpu, 6 * kMilli);
  thread.look({.lost_all = true});
  CHECK(thread.waits.lost_ns() - before == doctest::Approx(15 * kMilli));
}

TEST_CASE("who yields waits where it yields: the half of each look that finds it there") {
  struct Looks {
    bool yielded, yields;
    double part;
  };
  for (const Looks& looks : {Looks{false, true, 0.5}, {true, false, 0.5}, {true, true, 0.0}}) {
    Waiting thread;
    thread.look();
    thread.wait(Began::kAsItLostItsCpu, 8 * kMilli);
    thread.look({.yielded = looks.yielded, .yields = looks.yields});
    CHECK(thread.waits.lost_ns() == doctest::Approx(looks.part * 8 * kMilli));
  }
}

TEST_CASE("a wait outside of Java began as the switches since have it: without one of its own will its CPU was lost") {
  Waiting thread;
  thread.wait(Began::kAsItLostItsCpu, kMilli), thread.look();
  CHECK(thread.waits.chance_of_lost(thread.switches) == 1);
  ++thread.switches.preempted;
  CHECK(thread.waits.chance_of_lost(thread.switches) == 1);
  thread.switches.voluntary += 2;
  CHECK(thread.waits.chance_of_lost(thread.switches) == doctest::Approx(0.5));
  CHECK(thread.waits.chance_of_lost({}) == 1);
}

TEST_CASE(
    "of one that works in Java, waits outside of it are lost as those in Java are, by how long it runs in either") {
  using Where = CpuWaits::Where;
  Waiting thread;
  thread.wait(Began::kAsItLostItsCpu, kMilli), thread.look();
  thread.switches.voluntary += 2, ++thread.switches.preempted;
  thread.waits.found_running(Where::kInJava, 40);
  thread.waits.found_running(Where::kOutside, 4);
  thread.waits.found_waiting(Where::kInJava, Began::kAsItLostItsCpu, 20);
  thread.waits.found_waiting(Where::kOutside, Began::kAsItWoke, 37);
  CHECK(thread.waits.chance_of_lost(thread.switches) == doctest::Approx((2 + 3 * 0.5) / (37 + 3)));
}

TEST_CASE("a wait for a CPU that goes on is not counted by the kernel yet, and matters all the same") {
  Waiting thread;
  CHECK_FALSE(thread.waits.matter());
  thread.wait(Began::kAsItLostItsCpu, kMilli), thread.look();
  for (int i = 0; i < 8; ++i) {
    CHECK(thread.waits.matter());
    thread.look();
  }
  CHECK_FALSE(thread.waits.matter());
}
