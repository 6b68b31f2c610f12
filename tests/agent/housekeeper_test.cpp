// SPDX-License-Identifier: Apache-2.0
#include "agent/process/housekeeper.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

#include "agent/process/memory.h"
#include "base/clock.h"

using rec::agent::Housekeeper;

// The agent's own operator new is in librec.so alone: here nobody waits for memory.
void rec::agent::wait_for_memory() {}

namespace {

constexpr int64_t kForeverNs = INT64_MAX, kShortNs = 1'000'000;

}  // namespace

TEST_CASE("a housekeeper's pause is as long as was said") {
  Housekeeper::Pause pause;
  const int64_t begin = base::now_ticks();
  CHECK(pause.wait_for(kShortNs));
  CHECK(base::now_ticks() - begin >= kShortNs);
  CHECK(pause.wait_for(0));
  CHECK(pause.wait_for(-kForeverNs));
}

TEST_CASE("a housekeeper's pause that is cut is over, and its work goes on") {
  Housekeeper keeper;
  std::promise<Housekeeper::Pause*> began;
  std::promise<bool> cut;
  REQUIRE(keeper.start([&](Housekeeper::Pause& pause) {
    began.set_value(&pause);
    cut.set_value(pause.wait_for(kForeverNs));
    while (pause.wait_for(kForeverNs)) {
    }
  }));
  began.get_future().get()->cut();
  CHECK(cut.get_future().get());
  keeper.stop(kForeverNs / 4);
}

TEST_CASE("race: a housekeeper that is stopped ends its pause, and each that its work begins afterwards") {
  for (int round = 0; round < 200; ++round) {
    Housekeeper keeper;
    std::atomic<int> refused{0};
    REQUIRE(keeper.start([&](Housekeeper::Pause& pause) {
      while (pause.wait_for(kForeverNs)) {
      }
      for (int i = 0; i < 3; ++i) refused += !pause.wait_for(kForeverNs);
    }));
    keeper.stop(kForeverNs / 4);
    CHECK(refused == 3);
  }
}
