// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/known_threads.h"

#include <doctest/doctest.h>

using namespace rec::agent;

TEST_CASE("what was known of a thread is there in the next dump, and gone with it") {
  KnownThreads known;
  known.begin(2);
  known.of(0x1000, 7, 30).cpu_ns = 5;
  known.of(0x2000, 8, 31).cpu_ns = 6;
  known.end();

  known.begin(2);
  CHECK(known.of(0x1000, 7, 30).cpu_ns == 5);
  known.end();

  known.begin(2);
  CHECK(known.of(0x1000, 7, 30).cpu_ns == 5);
  CHECK(known.of(0x2000, 8, 31).cpu_ns == -1);  // it was not in the last one
  known.end();
}

TEST_CASE("damage: another thread where one was before is not taken for it") {
  KnownThreads known;
  known.begin(2);
  known.of(0x1000, 7, 30).cpu_ns = 5;
  known.of(0x2000, 8, 31).cpu_ns = 6;
  known.end();
  known.begin(2);
  CHECK(known.of(0x1000, 9, 30).cpu_ns == -1);
  CHECK(known.of(0x2000, 8, 32).cpu_ns == -1);
  known.end();
}

TEST_CASE("threads are found in whatever order they come") {
  KnownThreads known;
  known.begin(3);
  for (const int32_t id : {1, 2, 3}) known.of(0x1000u * static_cast<uint64_t>(id), id, id).cpu_ns = id;
  known.end();
  known.begin(4);
  CHECK(known.of(0x4000, 4, 4).is_new);
  for (const int32_t id : {3, 1, 2}) {
    const KnownThread& thread = known.of(0x1000u * static_cast<uint64_t>(id), id, id);
    CHECK(thread.cpu_ns == id);
    CHECK_FALSE(thread.is_new);
  }
  known.end();
}

TEST_CASE("what was forgotten is new") {
  KnownThreads known;
  known.begin(1);
  known.of(0x1000, 7, 30).cpu_ns = 5;
  known.end();
  known.forget();
  known.begin(1);
  CHECK(known.of(0x1000, 7, 30).is_new);
  known.end();
}
