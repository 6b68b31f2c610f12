// SPDX-License-Identifier: Apache-2.0
// Clocks that run, of threads that take their signals and of those that block them.
#include "agent/sampling/cpu_clock.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace rec::agent;

namespace {

constexpr int64_t kPeriodNs = 1'000'000;
constexpr int64_t kBurnNs = 20 * kPeriodNs;
constexpr int64_t kPatience = 100;  // times the CPU that a clock should need, before it counts as standing still

void nothing(int, siginfo_t*, void*) {}

void handle(int signal, void (*handler)(int, siginfo_t*, void*) = nothing) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void mask(int how, int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(how, &one, nullptr);
}

ClockChoice timers(int64_t period_ns) {
  ClockChoice choice;
  choice.period_ns = period_ns;
  choice.tick_ns = kernel_tick_ns();
  return choice;
}

void burn(int64_t ns = kBurnNs) {
  const int64_t end = CpuClock::thread_cpu_ns() + ns;
  while (CpuClock::thread_cpu_ns() < end) {
  }
}

// Until the clock has told of so much CPU; the thread may use more, since a tick can come late on a busy machine.
void burn_until_seen(const ThreadRecord& record, int64_t ns) {
  const int64_t begin_ns = CpuClock::thread_cpu_ns(), end_ns = record.account.seen_ns + ns;
  while (record.account.seen_ns < end_ns && CpuClock::thread_cpu_ns() - begin_ns < kPatience * ns) {
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

TEST_CASE("a number that somebody has got in place of perf's descriptor is his, and is not closed with the clock") {
  in_thread([](ThreadRecord& record) {
    ClockChoice perf = timers(1'000'000'000);
    perf.uses_perf = true;
    const CpuClock clock(SIGPROF, false, perf);
    REQUIRE(clock.start(record));
    const int number = record.perf_fd;
    if (number < 0) return clock.stop(record);  // perf is not allowed here
    CHECK_FALSE(CpuClock::is_closed(record));
    const int other = open("/dev/null", O_WRONLY | O_CLOEXEC);
    REQUIRE(dup3(other, number, O_CLOEXEC) == number);
    CHECK(CpuClock::is_closed(record));
    clock.stop(record);
    CHECK(write(number, "", 1) == 1);
    CHECK(record.perf_fd < 0);
    close(number);
    close(other);
  });
}

TEST_CASE("a thread that blocks the clock's signal is given the spare one") {
  in_thread([](ThreadRecord& record) {
    const CpuClock clock(SIGPROF, true, timers(1'000'000'000));
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
    const CpuClock clock(SIGPROF, false, timers(kPeriodNs));
    REQUIRE(clock.start(record));
    const int64_t before = record.account.seen_ns;
    burn();
    CHECK(clock.missed_ticks(record, 1'000'000'000'000) == 0);  // as yet it may be on its way
    const uint64_t missed = clock.missed_ticks(record, kBurnNs);
    CHECK(missed >= kBurnNs / kPeriodNs);
    CHECK(record.account.seen_ns == before + static_cast<int64_t>(missed) * kPeriodNs);
    CHECK(clock.missed_ticks(record, kBurnNs) == 0);
    clock.stop(record);
  });
}

TEST_CASE("CPU of a thread that takes its clock's signal is no loss, however long ago its last sample was") {
  in_thread([](ThreadRecord& record) {
    const CpuClock clock(SIGPROF, false, timers(kPeriodNs));
    REQUIRE(clock.start(record));
    burn();
    CHECK(clock.missed_ticks(record, kPeriodNs) == 0);
    clock.stop(record);
  });
}

namespace {

// What a thread's handler finds, with a clock of either kind.
ThreadRecord* ticking = nullptr;
uint64_t samples = 0, strangers = 0;
ClockChoice chosen;

void count(int, siginfo_t* info, void*) {
  if (!CpuClock::is_tick(*info) || !CpuClock::is_of(*info, *ticking)) return void(++strangers);
  const int64_t slack_ns = chosen.uses_perf ? chosen.period_ns / 2 : 0;
  const int64_t switches = CpuClock::thread_switches();
  samples += ticking->account.take(CpuClock::thread_cpu_ns(), chosen.period_ns, slack_ns, switches);
  CpuClock::go_on(*ticking, chosen.period_ns);
}

void check_that_samples_add_up(const ClockChoice& choice, int64_t cpu_ns) {
  in_thread([&](ThreadRecord& record) {
    handle(SIGPROF, count);
    ticking = &record;
    chosen = choice;
    samples = 0;
    const CpuClock clock(SIGPROF, false, choice);
    REQUIRE(clock.start(record));
    const int64_t begin_ns = record.account.seen_ns;
    burn_until_seen(record, cpu_ns);
    clock.stop(record);
    const int64_t seen_ns = record.account.seen_ns - begin_ns;
    CHECK(seen_ns >= cpu_ns);
    const int64_t most = 2 + choice.tick_ns / choice.period_ns;  // lent by the phase and the first tick
    const int64_t lent_ns = record.account.lent_ns;              // by ticks that were counted
    CHECK(std::abs(static_cast<int64_t>(samples) - (seen_ns + lent_ns) / choice.period_ns) <= most);
    const bool counts_time = !record.account.counts_ticks();
    const int64_t unpaid_ns = std::max<int64_t>(-record.account.owed_ns, 0);  // of a thread that ends soon after them
    CHECK((!counts_time || (lent_ns >= unpaid_ns && lent_ns - unpaid_ns <= choice.tick_ns)));
    handle(SIGPROF);
  });
}

}  // namespace

TEST_CASE("samples add up to the CPU time that a thread has used, by either clock, from a random phase on") {
  for (const int64_t period_ns : {kPeriodNs, 10 * kPeriodNs, kernel_tick_ns()}) {
    CAPTURE(period_ns);
    for (int i = 0; i < 3; ++i) check_that_samples_add_up(timers(period_ns), 5 * kBurnNs);
    check_that_samples_add_up(timers(period_ns), 2 * CpuAccount::kCountedTicks * kernel_tick_ns());
    ClockChoice perf = choose_clock(CpuClockKind::kPerf, period_ns);
    if (perf.uses_perf) check_that_samples_add_up(perf, 5 * kBurnNs);
  }
}

TEST_CASE("what is no tick of ours is told from one") {
  in_thread([](ThreadRecord& record) {
    handle(SIGPROF, count);
    ticking = &record;
    strangers = samples = 0;
    CpuClock::thread_cpu_ns();
    raise(SIGPROF);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    timer_t somebodys;
    REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &somebodys) == 0);
    const itimerspec once{{0, 0}, {0, 1}};
    CHECK(timer_settime(somebodys, 0, &once, nullptr) == 0);
    while (strangers < 2) usleep(100);
    timer_delete(somebodys);
    CHECK(samples == 0);
    handle(SIGPROF);
  });
}

TEST_CASE("the clock is a timer where the kernel's tick allows, and keeps its period") {
  const int64_t tick_ns = kernel_tick_ns();
  const ClockChoice coarse = choose_clock(CpuClockKind::kAuto, tick_ns);
  CHECK_FALSE(coarse.uses_perf);
  CHECK(coarse.period_ns == tick_ns);
  CHECK(coarse.why.empty());
  const ClockChoice fine = choose_clock(CpuClockKind::kTimer, tick_ns / 2);
  CHECK(fine.period_ns == tick_ns);  // each tick is one sample
  CHECK_FALSE(fine.why.empty());
  const ClockChoice chosen_by_cost = choose_clock(CpuClockKind::kAuto, tick_ns / 2);
  CHECK(chosen_by_cost.uses_perf == (chosen_by_cost.period_ns < tick_ns));
  CHECK((!chosen_by_cost.uses_perf || chosen_by_cost.sees_kernel));
}
