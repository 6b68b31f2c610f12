// SPDX-License-Identifier: Apache-2.0
// Waits under way: by thread and kind, and when their owners are to be asked.
#include "agent/locks/wait_table.h"

#include <doctest/doctest.h>

using namespace rec::agent;

namespace {

Wait wait_from(int64_t start, int64_t ask_each) {
  return {.start_ticks = start, .monitor = 7, .next_ask_ticks = start + ask_each, .ask_each_ns = ask_each};
}

}  // namespace

TEST_CASE("a wait ends once, and is that of its thread and kind") {
  WaitTable waits;
  CHECK(waits.begin({1, WaitFor::kEnter}, wait_from(100, 10)));
  CHECK(waits.begin({1, WaitFor::kNotify}, wait_from(50, 10)));
  CHECK(waits.begin({2, WaitFor::kEnter}, wait_from(200, 10)));
  CHECK(waits.under_way() == 3);
  Wait wait;
  CHECK(waits.end({1, WaitFor::kEnter}, wait));
  CHECK(wait.start_ticks == 100);
  CHECK_FALSE(waits.end({1, WaitFor::kEnter}, wait));
  CHECK(waits.end({1, WaitFor::kNotify}, wait));
  CHECK(wait.start_ticks == 50);
  CHECK(waits.under_way() == 1);
  waits.clear();
  CHECK(waits.under_way() == 0);
  CHECK_FALSE(waits.end({2, WaitFor::kEnter}, wait));
}

TEST_CASE("a wait whose end was never told is replaced by the thread's next one") {
  WaitTable waits;
  waits.begin({1, WaitFor::kEnter}, wait_from(100, 10));
  waits.begin({1, WaitFor::kEnter}, wait_from(300, 10));
  CHECK(waits.under_way() == 1);
  Wait wait;
  CHECK(waits.end({1, WaitFor::kEnter}, wait));
  CHECK(wait.start_ticks == 300);
}

TEST_CASE("owners are asked at the threshold, and each time after twice as long, up to the longest") {
  WaitTable waits;
  waits.begin({1, WaitFor::kEnter}, wait_from(0, 10));
  waits.begin({2, WaitFor::kNotify}, wait_from(0, 10));  // has no owner to wait for
  std::vector<int64_t> asked;
  for (int64_t now = 0; now <= 200; ++now)
    if (!waits.due(now, 40).empty()) asked.push_back(now);
  CHECK(asked == std::vector<int64_t>{10, 30, 70, 110, 150, 190});
}

TEST_CASE("what is learned of an owner is the wait's as long as it lasts") {
  WaitTable waits;
  waits.begin({1, WaitFor::kEnter}, wait_from(0, 10));
  waits.told({1, WaitFor::kEnter}, {.stack = {9}, .epoch_serial = 3});
  waits.told({2, WaitFor::kEnter}, {.stack = {8}, .epoch_serial = 3});
  Wait wait;
  CHECK(waits.end({1, WaitFor::kEnter}, wait));
  CHECK(wait.owner.stack.unit == 9);
  CHECK_FALSE(waits.end({2, WaitFor::kEnter}, wait));
}
