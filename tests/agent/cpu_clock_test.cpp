// SPDX-License-Identifier: Apache-2.0
// Clocks of threads that block signals.
#include "agent/sampling/cpu_clock.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

using namespace rec::agent;

namespace {

constexpr int64_t kPeriodNs = 1'000'000;
constexpr int64_t kBurnNs = 20 * kPeriodNs;

void nothing(int) {}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = nothing;
  sigaction(signal, &action, nullptr);
}

void mask(int how, int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(how, &one, nullptr);
}

void burn() {
  const int64_t end = CpuClock::thread_cpu_ns() + kBurnNs;
  while (CpuClock::thread_cpu_ns() < end) {
  }
}

// A thread of its own, with a record, since a signal may still be pending when the clock has stopped.
template <typename Act>
void in_thread(Act act) {
  handle(SIGPROF);
  std::thread([&] {
    ThreadRecord record;
    record.os_id = static_cast<int32_t>(syscall(SYS_gettid));
    act(record);
  }).join();
}

}  // namespace

TEST_CASE("a thread that blocks the clock's signal is given the spare one") {
  in_thread([](ThreadRecord& record) {
    const CpuClock clock(SIGPROF, true, 1'000'000'000);
    REQUIRE(clock.start(record));
    CHECK(record.clock_signal == SIGPROF);
    clock.stop(record);
    mask(SIG_BLOCK, SIGPROF);
    REQUIRE(clock.start(record));
    CHECK(record.clock_signal == kSpareClockSignal);
    clock.stop(record);
  });
}

TEST_CASE("damage: CPU that a thread uses while it blocks its clock's signal is counted, and once") {
  in_thread([](ThreadRecord& record) {
    mask(SIG_BLOCK, SIGPROF);
    const CpuClock clock(SIGPROF, false, kPeriodNs);
    REQUIRE(clock.start(record));
    const int64_t before = record.cpu_seen_ns;
    burn();
    CHECK(clock.missed_ticks(record, 1'000'000'000'000) == 0);  // as yet it may be on its way
    const uint64_t missed = clock.missed_ticks(record, kBurnNs);
    CHECK(missed >= kBurnNs / kPeriodNs);
    CHECK(record.cpu_seen_ns == before + static_cast<int64_t>(missed) * kPeriodNs);
    CHECK(clock.missed_ticks(record, kBurnNs) == 0);
    clock.stop(record);
  });
}

TEST_CASE("CPU of a thread that takes its clock's signal is no loss, however long ago its last sample was") {
  in_thread([](ThreadRecord& record) {
    const CpuClock clock(SIGPROF, false, kPeriodNs);
    REQUIRE(clock.start(record));
    burn();
    CHECK(clock.missed_ticks(record, kPeriodNs) == 0);
    clock.stop(record);
  });
}
