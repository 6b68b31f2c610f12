// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "agent/sampling/walk_budget.h"

namespace {

using rec::agent::WalkBudget;
using Allows = WalkBudget::Allows;

constexpr int64_t kIntervalNs = 100'000;

// What a thread has left of so many ticks, each after an interval of its CPU time, of which the sample takes a part.
double left_of(WalkBudget& budget, int ticks, int64_t with_native_ns, int64_t without_ns) {
  constexpr int64_t kBareNs = 2'000;  // a sample without a stack
  int64_t taken = 0, all = 0;
  for (int i = 0; i < ticks; ++i) {
    const Allows allows = budget.next();
    const int64_t took = allows == Allows::kAll ? with_native_ns : allows == Allows::kNoWalk ? kBareNs : without_ns;
    if (allows != Allows::kNoWalk) budget.took(took, kIntervalNs, allows == Allows::kAll);
    taken += took;
    all += std::max(took, kIntervalNs);  // the next tick is there when the handler returns
  }
  return 1 - static_cast<double>(taken) / static_cast<double>(all);
}

}  // namespace

TEST_CASE("a thread whose samples are short has all of them, also if one of three is long") {
  WalkBudget budget;
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(budget.next() == Allows::kAll);
    budget.took(i % 3 == 0 ? 5'000'000 : 10'000, kIntervalNs, true);
  }
}

TEST_CASE("at intervals of a millisecond and more a third of it is not long") {
  WalkBudget budget;
  for (int i = 0; i < 10; ++i) budget.took(330'000, 1'000'000, true);
  CHECK(budget.next() == Allows::kAll);
  for (int i = 0; i < 3; ++i) budget.took(600'000, 1'000'000, true);
  CHECK(budget.next() == Allows::kNoNativeFrames);
}

TEST_CASE("a thread whose native frames take long has stacks without them for a while, and whole ones again") {
  WalkBudget budget;
  CHECK(left_of(budget, 10'000, 200'000, 10'000) > 0.75);
  WalkBudget next;
  int whole = 0, without_walk = 0;
  for (int i = 0; i < 670; ++i) {
    const Allows allows = next.next();
    whole += allows == Allows::kAll;
    without_walk += allows == Allows::kNoWalk;
    next.took(allows == Allows::kAll ? 200'000 : 10'000, kIntervalNs, allows == Allows::kAll);
  }
  CHECK(whole == 30);
  CHECK(without_walk == 0);
}

TEST_CASE("a thread whose samples take all of its interval without native frames, too, still has most of its time") {
  WalkBudget budget;
  CHECK(left_of(budget, 10'000, 134'000, 131'000) > 0.8);
  WalkBudget of_java;  // nobody asks for native frames
  for (int i = 0; i < 10; ++i)
    if (of_java.next() != Allows::kNoWalk) of_java.took(131'000, kIntervalNs, false);
  CHECK(of_java.next() == Allows::kNoWalk);
}
