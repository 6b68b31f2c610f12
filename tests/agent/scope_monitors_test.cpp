// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/scope_monitors.h"

#include <doctest/doctest.h>

#include <cstddef>

using namespace rec::agent;

namespace {

using Bytes = std::vector<uint8_t>;
using Where = ScopeMonitor::Where;

// Descriptions begin with a byte that is none, so that no offset is 0. Then a scope whose monitors stand at byte 8.
constexpr uint8_t kMonitors = 8;

std::vector<ScopeMonitor> monitors_of(Bytes monitors, uint32_t excess = 0) {
  Bytes bytes = {0xff, 0, 1, 1, 0, 0, kMonitors, 0};
  for (size_t i = 1; i < 7; ++i) bytes[i] = static_cast<uint8_t>(bytes[i] + excess);
  bytes.insert(bytes.end(), monitors.begin(), monitors.end());
  bytes.resize(bytes.size() + 16);  // what cannot be read is damage of its own
  Layout layout;
  layout.unsigned5_excess = excess;
  const auto at = reinterpret_cast<uint64_t>(bytes.data());
  return read_scope_monitors(layout, at, at + 1);
}

}  // namespace

TEST_CASE("golden: a scope's monitors are where its debug information says, those locked first first") {
  // Each: its lock's place, how the owner is told, the owner, whether it is eliminated.
  const auto monitors = monitors_of({4, 7, 0, 3 << 5 | 2, 0,  // on the stack, 12 bytes up
                                     7, 0, 3 << 5 | 9, 1,     // the same, compressed; eliminated
                                     7, 2, 5, 0,              // the fifth constant
                                     7, 6, 1, 1});            // optimised away
  REQUIRE(monitors.size() == 4);
  CHECK(monitors[0].where == Where::kStack);
  CHECK(monitors[0].at == 12);
  CHECK_FALSE(monitors[0].narrow);
  CHECK_FALSE(monitors[0].eliminated);
  CHECK(monitors[1].narrow);
  CHECK(monitors[1].eliminated);
  CHECK(monitors[2].where == Where::kConstant);
  CHECK(monitors[2].at == 5);
  CHECK(monitors[3].where == Where::kReplaced);
}

TEST_CASE("a monitor in a register has the register's number, in the coding of JDK 20 and later, too") {
  // 10 << 5 | 0x10 | 2 = 338 = 210 + 2 * 64; one more in each byte
  const auto monitors = monitors_of({2, 8, 1, 211, 3, 0}, 1);
  REQUIRE(monitors.size() == 1);
  CHECK(monitors[0].where == Where::kRegister);
  CHECK(monitors[0].at == 10);
}

TEST_CASE("damage: monitors that cannot be read end the list, and too many are none") {
  CHECK(monitors_of({2, 7, 0, 3 << 5 | 2, 0, 7, 5, 1, 0}).size() == 1);  // an object that is described in place
  CHECK(monitors_of({100}).empty());
}
