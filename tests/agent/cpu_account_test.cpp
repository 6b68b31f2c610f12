// SPDX-License-Identifier: Apache-2.0
// Whether threads of any length get the samples that their CPU time is worth. Simulated: no clock runs.
#include "agent/sampling/cpu_account.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using rec::agent::CpuAccount;
using rec::agent::first_tick;
using rec::agent::FirstTick;

namespace {

constexpr int64_t kMs = 1'000'000;
constexpr uint64_t kPhases = 200;

// The work of a thread: bursts of CPU time, and what lies between two of them.
struct Work {
  std::vector<int64_t> bursts_ns;
  int64_t pause_ns = 0;
  int64_t cpu_ns() const { return std::accumulate(bursts_ns.begin(), bursts_ns.end(), int64_t{0}); }
};

struct Tick {
  int64_t cpu_ns = 0, switches = 0;
};

// Where the kernel's ticks meet it. since_tick_ns: how long before it began there was one.
std::vector<Tick> ticks_of(const Work& work, int64_t tick_ns, int64_t since_tick_ns) {
  std::vector<Tick> ticks;
  int64_t time = since_tick_ns, cpu = 0, switches = 0;
  for (const int64_t burst : work.bursts_ns) {
    for (int64_t at = time / tick_ns * tick_ns + tick_ns; at <= time + burst; at += tick_ns)
      ticks.push_back({cpu + at - time, switches});
    time += burst + work.pause_ns;
    cpu += burst;
    ++switches;
  }
  return ticks;
}

uint64_t samples_by_timer(uint64_t phase, int64_t period_ns, int64_t tick_ns, const std::vector<Tick>& ticks) {
  CpuAccount account;
  account.open(0, 0, first_tick(phase, period_ns, tick_ns));
  uint64_t samples = 0;
  int64_t due_ns = 0;
  for (const auto& [at_ns, switches] : ticks) {
    if (at_ns < due_ns) continue;
    const bool counted = account.counts_ticks();
    samples += account.take(at_ns, period_ns, 0, switches);
    if (account.counts_ticks()) continue;
    if (counted) due_ns = account.next_ns(period_ns);
    while (due_ns <= at_ns) due_ns += period_ns;
  }
  return samples;
}

uint64_t samples_by_perf(uint64_t phase, int64_t period_ns, int64_t cpu_ns) {
  const FirstTick first = first_tick(phase, period_ns, 0);
  CpuAccount account;
  account.open(0, 0, first);
  uint64_t samples = 0;
  for (int64_t at_ns = std::max<int64_t>(first.after_ns, 1); at_ns <= cpu_ns; at_ns += period_ns)
    samples += account.take(at_ns, period_ns, period_ns / 2);
  return samples;
}

// Samples of a thread, on the average of all phases and of all times since the kernel's tick.
double samples_of(const Work& work, int64_t period_ns, int64_t tick_ns) {
  uint64_t samples = 0;
  for (uint64_t k = 0; k < kPhases; ++k) {
    const auto since_tick_ns = tick_ns / static_cast<int64_t>(kPhases) * static_cast<int64_t>(k);
    const std::vector<Tick> ticks = tick_ns == 0 ? std::vector<Tick>() : ticks_of(work, tick_ns, since_tick_ns);
    for (uint64_t i = 0; i < kPhases; ++i) {
      const uint64_t phase = ~uint64_t{0} / kPhases * i + (1u << 20);
      samples += tick_ns == 0 ? samples_by_perf(phase, period_ns, work.cpu_ns())
                              : samples_by_timer(phase, period_ns, tick_ns, ticks);
    }
  }
  return static_cast<double>(samples) / (kPhases * kPhases);
}

double samples_of(int64_t cpu_ns, int64_t period_ns, int64_t tick_ns) {
  return samples_of(Work{{cpu_ns}}, period_ns, tick_ns);
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

TEST_CASE("and so is one that leaves the processor meanwhile, however often" * doctest::test_suite("simulation")) {
  std::mt19937 random(1);
  for (const int64_t period_ns : {10 * kMs, 4 * kMs, 20 * kMs})
    for (const int64_t tick_ns : {1 * kMs, 4 * kMs, 10 * kMs})
      for (const size_t bursts : {size_t{2}, size_t{3}, size_t{9}, size_t{40}}) {
        double samples = 0, due = 0;
        for (int thread = 0; thread < 40; ++thread) {
          Work work{{}, static_cast<int64_t>(random() % (9 * kMs))};
          while (work.bursts_ns.size() < bursts) work.bursts_ns.push_back(static_cast<int64_t>(random() % (3 * kMs)));
          samples += samples_of(work, period_ns, tick_ns);
          due += static_cast<double>(work.cpu_ns()) / static_cast<double>(period_ns);
        }
        CAPTURE(period_ns);
        CAPTURE(tick_ns);
        CAPTURE(bursts);
        CHECK(samples == doctest::Approx(due).epsilon(0.03).scale(0));
      }
}

TEST_CASE("a thread that lives long has what it used, but for a tick") {
  std::mt19937 random(2);
  Work work{{}, 2 * kMs};
  while (work.bursts_ns.size() < 5'000) work.bursts_ns.push_back(static_cast<int64_t>(random() % (2 * kMs)));
  const double due = static_cast<double>(work.cpu_ns()) / (10.0 * kMs);
  for (const uint64_t phase : {uint64_t{0}, ~uint64_t{0} / 3, ~uint64_t{0}}) {
    const auto samples = static_cast<double>(samples_by_timer(phase, 10 * kMs, 4 * kMs, ticks_of(work, 4 * kMs, kMs)));
    CHECK(samples >= due - 2);
    CHECK(samples <= due + 2);
  }
}

// As where ticks take its processor away: each meets it, though it uses a third of what they stand for.
TEST_CASE(
    "what the first ticks have lent too much is told until it is paid back, and a stray tick forgives none of it") {
  CpuAccount account;
  account.open(0, 0, first_tick(0, 10 * kMs, 4 * kMs));
  int64_t samples = 0, cpu_ns = 0;
  const auto use = [&](int64_t ns, int64_t switches) {
    samples += account.take(cpu_ns += ns, 10 * kMs, 0, switches);
    CHECK(samples * 10 * kMs + std::max<int64_t>(account.owed_ns, 0) == cpu_ns + account.lent_ns);
  };
  for (int64_t tick = 1; tick <= CpuAccount::kCountedTicks; ++tick) use(4 * kMs / 3, tick);
  CHECK(account.lent_ns > 70 * kMs);
  const int64_t lent = samples;
  for (int i = 0; i < 3; ++i) use(1'000, 0);
  CHECK(samples == lent);
  use(account.next_ns(10 * kMs) - cpu_ns, 0);
  CHECK(samples == lent + 1);
  CHECK(account.lent_ns <= 4 * kMs);
}

TEST_CASE("kernel ticks that a host swallows are made up for where the thread stays on its processor") {
  std::vector<Tick> ticks = ticks_of(Work{{100 * kMs}}, 4 * kMs, kMs);
  for (size_t i = ticks.size() - 1; i > 0; i -= 3) ticks.erase(ticks.begin() + static_cast<ptrdiff_t>(i) - 1);
  uint64_t samples = 0;
  for (uint64_t i = 0; i < kPhases; ++i)
    samples += samples_by_timer(~uint64_t{0} / kPhases * i, 10 * kMs, 4 * kMs, ticks);
  CHECK(static_cast<double>(samples) / kPhases == doctest::Approx(10).epsilon(0.03));
}

TEST_CASE("ticks that are one signal, as the thread was in the kernel, stand for most of them") {
  CpuAccount account;
  account.open(0, 0, first_tick(0, 10 * kMs, 4 * kMs));
  CHECK(account.take(40 * kMs, 10 * kMs, 0) == 3);
}

TEST_CASE(
    "a thread of 1.5 ms is seen with a chance of 0.15 at 10 ms, whether the kernel's tick is 4 ms or none is needed") {
  for (const int64_t tick_ns : {int64_t{0}, 4 * kMs})
    CHECK(samples_of(3 * kMs / 2, 10 * kMs, tick_ns) == doctest::Approx(0.15).epsilon(0.02));
}

TEST_CASE("ticks that were merged stand for all of them, and what is left is carried over") {
  CpuAccount account;
  account.open(100, 100, {0, 10, 0});
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
    account.open(0, 0, first);
    CHECK(account.take(kMs / 2, 1 * kMs, 0) == 4);
    CHECK(account.take(kMs / 2 + 4 * kMs, 1 * kMs, 0) == 4);
  }
}

TEST_CASE("a clock that counts what the host of a virtual machine took, too, ticks for nothing now and then") {
  CpuAccount account;
  account.open(0, 0, first_tick(0, kMs, 0));
  uint64_t samples = 0;
  for (int64_t i = 1; i <= 10'000; ++i) samples += account.take(i * kMs * 7 / 10, kMs, kMs / 2);
  CHECK(samples <= 7'001);
  CHECK(samples >= 6'999);
}

TEST_CASE("a clock that runs a little slower than the CPU time neither adds nor drops samples") {
  CpuAccount account;
  account.open(0, 0, first_tick(0, kMs, 0));
  uint64_t samples = 0;
  for (int64_t i = 1; i <= 10'000; ++i) samples += account.take(i * (kMs - 300), kMs, kMs / 2);
  CHECK(samples <= 10'001);
  CHECK(samples >= 9'997);
}
