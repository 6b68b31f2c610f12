// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/known_threads.h"

#include <doctest/doctest.h>

using namespace rec::agent;

TEST_CASE("what was known of a thread is there in the next dump, and gone with it") {
  KnownThreads known;
  known.begin();
  known.of(0x1000, 7, 30).cpu_ns = 5;
  known.of(0x2000, 8, 31).cpu_ns = 6;
  known.end();

  known.begin();
  CHECK(known.of(0x1000, 7, 30).cpu_ns == 5);
  known.end();

  known.begin();
  CHECK(known.of(0x1000, 7, 30).cpu_ns == 5);
  CHECK(known.of(0x2000, 8, 31).cpu_ns == -1);  // it was not in the last one
  known.end();
}

TEST_CASE("damage: another thread where one was before is not taken for it") {
  KnownThreads known;
  known.begin();
  known.of(0x1000, 7, 30).cpu_ns = 5;
  known.of(0x2000, 8, 31).cpu_ns = 6;
  known.end();
  known.begin();
  CHECK(known.of(0x1000, 9, 30).cpu_ns == -1);
  CHECK(known.of(0x2000, 8, 32).cpu_ns == -1);
  known.end();
}
