// SPDX-License-Identifier: Apache-2.0
// Whether threads of any length get the samples that their CPU time is worth. Simulated: no clock runs.
#include "agent/sampling/cpu_account.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using rec::agent::CpuAccount;
using rec::agent::first_tick;
using rec::agent::FirstTick;

namespace {

constexpr int64_t kMs = 1'000'000;
constexpr uint64_t kPhases = 200;

// A clock of a thread that runs without a pause. tick_ns: the kernel's, 0 for a clock that needs none; since_tick_ns: how
// long before the thread began there was one.
struct Clock {
  int64_t period_ns, tick_ns, since_tick_ns;

  int64_t tick_at_or_after(int64_t due_ns) const {
    if (tick_ns == 0) return due_ns;
    return (due_ns + since_tick_ns + tick_ns - 1) / tick_ns * tick_ns - since_tick_ns;
  }

  uint64_t samples(uint64_t phase, int64_t cpu_ns) const {
    const FirstTick first = first_tick(phase, period_ns, tick_ns);
    CpuAccount account;
    account.open(0, first);
    int64_t due_ns = std::max<int64_t>(first.after_ns, 1);
    uint64_t samples = 0;
    for (bool again = false;; again = true) {
      const int64_t at_ns = tick_at_or_after(due_ns);
      if (at_ns > cpu_ns) return samples;
      samples += account.take(at_ns, period_ns, tick_ns == 0 ? period_ns / 2 : 0);
      if (!again && first.set_again) due_ns = account.next_ns(period_ns);
      while (due_ns <= at_ns) due_ns += period_ns;
    }
  }
};

// Samples of a thread, on the average of all phases and of all times since the kernel's tick.
double samples_of(int64_t cpu_ns, int64_t period_ns, int64_t tick_ns) {
  uint64_t samples = 0;
  for (uint64_t i = 0; i < kPhases; ++i)
    for (uint64_t k = 0; k < kPhases; ++k) {
      const auto since_tick_ns = tick_ns / static_cast<int64_t>(kPhases) * static_cast<int64_t>(k);
      const Clock clock{period_ns, tick_ns, since_tick_ns};
      samples += clock.samples(~uint64_t{0} / kPhases * i + (1u << 20), cpu_ns);
    }
  return static_cast<double>(samples) / (kPhases * kPhases);
}

}  // namespace

TEST_CASE("a thread of any length is worth its CPU time in samples, on the average") {
  for (const int64_t period_ns : {10 * kMs, 4 * kMs, 1 * kMs, 25 * kMs})
    for (const int64_t tick_ns : {int64_t{0}, 1 * kMs, 4 * kMs, 10 * kMs})
      for (const int64_t cpu_ns : {kMs / 2, 3 * kMs / 2, 5 * kMs, 9 * kMs, 20 * kMs, 107 * kMs}) {
        CAPTURE(period_ns);
        CAPTURE(tick_ns);
        CAPTURE(cpu_ns);
        const double due = static_cast<double>(cpu_ns) / static_cast<double>(period_ns);
        CHECK(samples_of(cpu_ns, period_ns, tick_ns) == doctest::Approx(due).epsilon(0.01).scale(0));
      }
}

TEST_CASE(
    "a thread of 1.5 ms is seen with a chance of 0.15 at 10 ms, whether the kernel's tick is 4 ms or none is needed") {
  for (const int64_t tick_ns : {int64_t{0}, 4 * kMs})
    CHECK(samples_of(3 * kMs / 2, 10 * kMs, tick_ns) == doctest::Approx(0.15).epsilon(0.02));
}

TEST_CASE("ticks that were merged stand for all of them, and what is left is carried over") {
  CpuAccount account;
  account.open(100, {0, 10, 10, false});
  CHECK(account.take(112, 10, 0) == 1);
  CHECK(account.take(145, 10, 0) == 3);  // due at 120, 130, 140
  CHECK(account.take(150, 10, 0) == 1);
  CHECK(account.seen_ns == 150);
}

TEST_CASE("the first tick of a clock coarser than the period stands for a whole tick") {
  for (const uint64_t phase : {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}}) {
    const FirstTick first = first_tick(phase, 1 * kMs, 4 * kMs);
    CHECK(first.after_ns == 0);
    CpuAccount account;
    account.open(0, first);
    CHECK(account.take(kMs / 2, 1 * kMs, 0) == 4);
    CHECK(account.take(kMs / 2 + 4 * kMs, 1 * kMs, 0) == 4);
  }
}

TEST_CASE("a clock that counts what the host of a virtual machine took, too, ticks for nothing now and then") {
  CpuAccount account;
  account.open(0, first_tick(0, kMs, 0));
  uint64_t samples = 0;
  for (int64_t i = 1; i <= 10'000; ++i) samples += account.take(i * kMs * 7 / 10, kMs, kMs / 2);
  CHECK(samples <= 7'001);
  CHECK(samples >= 6'999);
}

TEST_CASE("a clock that runs a little slower than the CPU time neither adds nor drops samples") {
  CpuAccount account;
  account.open(0, first_tick(0, kMs, 0));
  uint64_t samples = 0;
  for (int64_t i = 1; i <= 10'000; ++i) samples += account.take(i * (kMs - 300), kMs, kMs / 2);
  CHECK(samples <= 10'001);
  CHECK(samples >= 9'997);
}
