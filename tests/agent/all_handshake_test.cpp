// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/all_handshake.h"

#include <doctest/doctest.h>

using rec::agent::AllHandshake;

TEST_CASE("a handshake of all threads lasts until the VM thread is about something else") {
  AllHandshake all;
  CHECK_FALSE(all.look(0, 50, 100));
  CHECK_FALSE(all.look(7, 105, 110));
  CHECK_FALSE(all.look(7, 105, 120));
  const auto over = all.look(0, 105, 130);
  REQUIRE(over);
  CHECK(over->start == 105);
  CHECK(over->there_ticks == 120);
  CHECK(all.current() == nullptr);
}

TEST_CASE("two handshakes at one address are two, by when they were asked for") {
  AllHandshake all;
  all.look(0, 0, 100);
  all.look(7, 105, 110);
  all.note_told(7);
  const auto first = all.look(7, 115, 120);
  REQUIRE(first);
  CHECK(first->told);
  REQUIRE(all.current());
  CHECK(all.current()->start == 115);
  CHECK_FALSE(all.current()->told);
}

TEST_CASE("what is no time since the look before is not when it was asked for, nor makes another one of it") {
  AllHandshake all;
  all.look(0, 0, 100);
  CHECK_FALSE(all.look(7, 90, 110));  // of one before
  CHECK(all.current()->start == 0);
  CHECK_FALSE(all.look(7, 1000, 120));  // no time yet
  CHECK_FALSE(all.look(7, 105, 130));
  CHECK(all.current()->start == 105);
  CHECK_FALSE(all.look(7, 90, 140));
  CHECK(all.current()->start == 105);
}
