// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/clock_choice.h"

#include <time.h>

#include <algorithm>

#include "agent/sampling/task_clock.h"
#include "agent/sampling/timer_refusal.h"
#include "base/clock.h"
#include "base/descriptor.h"

namespace rec::agent {
namespace {

constexpr int64_t kShortestTickNs = 1'000'000, kLongestTickNs = 10'000'000;  // CONFIG_HZ is 1000 to 100

bool opens(int64_t period_ns, bool sees_kernel, bool tells_kernel = false) {
  return bool(base::Descriptor(open_task_clock(0, period_ns, sees_kernel, tells_kernel)));
}

ClockChoice perf(int64_t period_ns, bool sees_kernel) {
  ClockChoice choice;
  choice.uses_perf = true;
  choice.sees_kernel = sees_kernel;
  choice.period_ns = period_ns;
  choice.tick_ns = kernel_tick_ns();
  return choice;
}

// Where neither is to be had, each thread tries for itself, and says so.
void take_perf_if_refused(ClockChoice& timers) {
  const TimerRefusal refusal = try_timer();
  if (!refusal) return;
  const bool sees_kernel = opens(timers.period_ns, true);
  if (!sees_kernel && !opens(timers.period_ns, false)) return;
  timers.uses_perf = true;
  timers.sees_kernel = sees_kernel;
  timers.no_timers = refusal.text();
}

ClockChoice timers(int64_t asked_ns, std::string why) {
  ClockChoice choice;
  choice.tick_ns = kernel_tick_ns();
  choice.period_ns = std::max(asked_ns, choice.tick_ns);
  if (choice.period_ns > asked_ns) choice.why = std::move(why);
  take_perf_if_refused(choice);
  return choice;
}

// Who asks for it has it, unless it leaves threads next to no time.
ClockChoice choose_perf(int64_t period_ns) {
  if (!opens(period_ns, true))
    return opens(period_ns, false) ? perf(period_ns, false) : timers(period_ns, "perf_event_open is not allowed here");
  if (period_ns < kernel_tick_ns() && task_clock_cost_ns() > period_ns * 3 / 4)
    return timers(period_ns, "a tick of perf's takes most of that here");
  return perf(period_ns, true);
}

ClockChoice choose_fine(int64_t period_ns) {
  if (!opens(period_ns, true)) return timers(period_ns, "perf_event_open may not see the kernel here");
  ClockChoice choice = perf(period_ns, true);
  choice.perf_cost_ns = task_clock_cost_ns();
  if (choice.perf_cost_ns > period_ns / 2) return timers(period_ns, "a tick of perf's takes half of that here");
  return choice;
}

}  // namespace

// The coarse clocks move with it (clock_getres(2)).
int64_t kernel_tick_ns() {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0) return kLongestTickNs;
  return std::clamp(base::to_ns(resolution), kShortestTickNs, kLongestTickNs);
}

ClockChoice choose_clock(CpuClockKind wish, int64_t period_ns) {
  switch (wish) {
    case CpuClockKind::kPerf: return choose_perf(period_ns);
    case CpuClockKind::kTimer: return timers(period_ns, "timers tick with the kernel");
    case CpuClockKind::kAuto: break;
  }
  return period_ns >= kernel_tick_ns() ? timers(period_ns, "") : choose_fine(period_ns);
}

ClockChoice choose_clock(const Options& options) {
  const bool names_timer = options.cpu_clock == CpuClockKind::kAuto && options.event != SampledEvent::kCpu;
  const CpuClockKind wish = names_timer ? CpuClockKind::kTimer : options.cpu_clock;
  if (options.kernel_frames && wish != CpuClockKind::kTimer && opens(options.period_ns, true, true)) {
    ClockChoice choice = perf(options.period_ns, true);
    choice.tells_kernel = true;
    return choice;
  }
  return choose_clock(wish, options.period_ns);
}

}  // namespace rec::agent
