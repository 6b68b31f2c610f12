// SPDX-License-Identifier: Apache-2.0
// Which clock a recording's threads have, and at which period. A POSIX timer costs next to nothing, but ticks with the
// kernel only (4 ms at CONFIG_HZ=250); perf's task-clock ticks at any period, for a price (task_clock.h).
//
//   cpu-clock=auto    period >= the kernel's tick -> timers
//                     finer -> perf, if it may see the kernel and costs at most half of the period; else timers
//   cpu-clock=timer   timers; a finer period becomes the kernel's tick
//   cpu-clock=perf    perf; timers, if the system forbids it
//   no timers here    perf in their place, at their period, if it is to be had
//   cstack=kernel     perf, if it may see the kernel, unless the clock is named
//
// So all samples of a recording stand for the same time, as a rule. Ordinary threads.
#pragma once

#include <cstdint>
#include <string>

#include "agent/options/options.h"

namespace rec::agent {

struct ClockChoice {
  bool uses_perf = false;
  bool sees_kernel = true;    // of perf: ticks inside the kernel come, too
  int64_t period_ns = 0;      // that the recording has
  int64_t tick_ns = 0;        // the kernel's: how fine timers are
  int64_t perf_cost_ns = 0;   // of a tick of perf's; 0: it was not measured
  bool tells_kernel = false;  // of perf: where in the kernel a tick came, too (hotspot/walk/kernel_chain.h)
  std::string why;            // not empty: why the period is not the one that was asked for, as a clause
  std::string no_timers;      // not empty: perf is in the timers' place, since the system refuses these, in its words
  const char* name() const { return uses_perf ? "perf task-clock" : "posix cpu timer"; }
};

// Takes some 6 ms of CPU where perf is in question.
ClockChoice choose_clock(const Options& options);
ClockChoice choose_clock(CpuClockKind wish, int64_t period_ns);

// The kernel's tick (1 / CONFIG_HZ), which drives timers of CPU time.
int64_t kernel_tick_ns();

}  // namespace rec::agent
