// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/deadlocks.h"

#include <doctest/doctest.h>

using rec::agent::find_cycles;
using rec::agent::kNobody;

namespace {

using Waits = std::vector<uint32_t>;  // [i]: the thread that thread i waits for
using Cycles = std::vector<rec::agent::Deadlock>;

}  // namespace

TEST_CASE("threads that wait for nobody, or one after another, are in no deadlock") {
  CHECK(find_cycles({}).empty());
  CHECK(find_cycles(Waits{kNobody}).empty());
  CHECK(find_cycles(Waits{1, 2, kNobody}).empty());
  CHECK(find_cycles(Waits{2, 2, kNobody}).empty());
}

TEST_CASE("two threads that wait for each other are a deadlock, told once and from the lower one on") {
  CHECK(find_cycles(Waits{1, 0}) == Cycles{{0, 1}});
  CHECK(find_cycles(Waits{kNobody, 3, kNobody, 1}) == Cycles{{1, 3}});
}

TEST_CASE("a longer circle is told in the order of who waits for whom") {
  CHECK(find_cycles(Waits{2, 0, 3, 1}) == Cycles{{0, 2, 3, 1}});
}

TEST_CASE("those who wait for a member of a deadlock are not in it, wherever they stand") {
  CHECK(find_cycles(Waits{1, 2, 1, 0}) == Cycles{{1, 2}});
  CHECK(find_cycles(Waits{1, 0, 0, 2}) == Cycles{{0, 1}});
}

TEST_CASE("several deadlocks are told apart") {
  CHECK(find_cycles(Waits{1, 0, 4, kNobody, 5, 2}) == Cycles{{0, 1}, {2, 4, 5}});
}

TEST_CASE("damage: a thread that waits for itself, or for one that is not listed, hangs nobody") {
  CHECK(find_cycles(Waits{0}) == Cycles{{0}});
  CHECK(find_cycles(Waits{7, 0}).empty());
}
