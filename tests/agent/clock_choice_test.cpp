// SPDX-License-Identifier: Apache-2.0
// Which clock is chosen where the system refuses one.
#include "agent/sampling/clock_choice.h"

#include <doctest/doctest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <string>

#include "agent/sampling/task_clock.h"
#include "agent/sampling/timer_refusal.h"
#include "base/descriptor.h"
#include "tests/forbidden_call.h"

using namespace rec::agent;
using test::without_call;

namespace {

constexpr int64_t kAskedNs = 10'000'000;

bool has_perf() { return bool(base::Descriptor(open_task_clock(0, kAskedNs, false))); }

}  // namespace

TEST_CASE("a timer is refused by whom it is refused, with the reason") {
  CHECK_FALSE(try_timer());
  without_call(SYS_timer_create, EAGAIN,
               [] { CHECK(try_timer().text() == "timer_create: Resource temporarily unavailable (ulimit -i)"); });
  without_call(SYS_timer_settime, EPERM, [] { CHECK(try_timer().text() == "timer_settime: Operation not permitted"); });
}

TEST_CASE("where timers are refused and perf is not, perf's clock is the one that is named") {
  CHECK(choose_clock(CpuClockKind::kAuto, kAskedNs).no_timers.empty());
  if (!has_perf()) return;
  for (const long call : {SYS_timer_create, SYS_timer_settime})
    without_call(call, EPERM, [] {
      const ClockChoice choice = choose_clock(CpuClockKind::kAuto, kAskedNs);
      CHECK(std::string(choice.name()) == "perf task-clock");
      CHECK(choice.period_ns == kAskedNs);
      CHECK(choice.no_timers.find("Operation not permitted") != std::string::npos);
    });
}

TEST_CASE("where perf is refused, too, the choice stays as it was") {
  without_call(SYS_timer_create, EPERM, [] {
    without_call(SYS_perf_event_open, EACCES, [] {
      const ClockChoice choice = choose_clock(CpuClockKind::kAuto, kAskedNs);
      CHECK_FALSE(choice.uses_perf);
      CHECK(choice.no_timers.empty());
    });
  });
}
