// SPDX-License-Identifier: Apache-2.0
#include "base/waker.h"

#include <doctest/doctest.h>
#include <sys/syscall.h>

#include <cerrno>

#include "tests/forbidden_call.h"

TEST_CASE("damage: a waker that gets no descriptor says why the system gave none") {
  base::Waker waker;
  test::without_call(SYS_eventfd2, EPERM, [&] {
    CHECK_FALSE(waker.open());
    CHECK(errno == EPERM);
  });
  CHECK(waker.open());  // later, where it may
}
