// SPDX-License-Identifier: Apache-2.0
#include "agent/statistics/thread_loads.h"

#include <doctest/doctest.h>

using namespace rec::agent;

TEST_CASE("what a thread has used is new against the look before, and nothing at the first") {
  ThreadLoads loads;
  const ThreadIdentity thread{7, 1};
  ThreadLoads::New news = loads.next(thread, {1000, 500, 64});
  CHECK(news.cpu_ns == 0);
  CHECK(news.allocated);
  loads.end_look();
  news = loads.next(thread, {2000, 800, 64});
  CHECK(news.cpu_ns == 300);
  CHECK(news.time_ns == 1000);
  CHECK_FALSE(news.allocated);
  CHECK(loads.next(thread, {3000, 800, 65}).allocated);
}

TEST_CASE("a thread that has another's id by now begins anew") {
  ThreadLoads loads;
  loads.next({7, 1}, {1000, 500, -1});
  loads.end_look();
  CHECK(loads.next({7, 2}, {2000, 800, -1}).cpu_ns == 0);
}

TEST_CASE("threads that were not looked at are forgotten") {
  ThreadLoads loads;
  loads.next({7, 1}, {0, 0, -1});
  loads.next({8, 2}, {0, 0, -1});
  loads.end_look();
  loads.next({8, 2}, {0, 0, -1});
  loads.end_look();
  CHECK(loads.size() == 1);
}

TEST_CASE("user time is never more than what is new, and the rest is told later") {
  ThreadLoads loads;
  const ThreadIdentity thread{7, 1};
  loads.next(thread, {0, 100, -1});
  loads.next(thread, {10, 200, -1});
  CHECK(loads.user_since(thread, 100, 100) == 50);  // half of its life
  loads.next(thread, {20, 300, -1});
  CHECK(loads.user_since(thread, 350, 100) == 100);  // by the tick it is more
  loads.next(thread, {30, 500, -1});
  CHECK(loads.user_since(thread, 350, 200) == 150);
  CHECK(loads.user_since(thread, 340, 10) == 0);
  CHECK(loads.user_since(thread, ThreadLoads::kUserUnknown, 100) == 68);  // 340 of the 500 of its life
  CHECK(loads.user_since({9, 9}, 340, 10) == 0);
}
