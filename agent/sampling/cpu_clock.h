// SPDX-License-Identifier: Apache-2.0
// CpuClock sends a thread a signal each time it has used another period of CPU.
//
//   perf task-clock   driven by high resolution timers: any period; needs perf_event_open, which some containers forbid
//   POSIX CPU timer   works everywhere, but ticks with the kernel's CONFIG_HZ: 4 ms at 250
//
// A tick may stand for several periods (a coarse timer, ticks merged while the signal was blocked, kernel time that
// perf may not interrupt): the sampler takes a sample's weight from the thread's CPU time, so nothing is undercounted.
//
// A thread that blocks the signal is given the spare one instead, by a timer: perf's code for a tick is a division's on
// old kernels. One that blocks both, or begins to block while its clock runs, is not heard of: missed_ticks() counts.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

#include "agent/sampling/thread_record.h"

namespace rec::agent {

inline constexpr int kSpareClockSignal = SIGFPE;  // sampler.h says why

class CpuClock {
 public:
  // Finds out which clock this process may use. signal: what the ticks raise; has_spare: kSpareClockSignal is handled,
  // too.
  CpuClock(int signal, bool has_spare, int64_t period_ns);

  // Ordinary threads, any thread's record that has no clock. False when the system refused; the record has no clock
  // then.
  bool start(ThreadRecord& record) const;
  void stop(ThreadRecord& record) const;

  // Ordinary threads. Periods of CPU since the last sample of a thread that blocks its clock's signal; 0: less than
  // least_ns, or it does not. What is counted once is not counted again, nor by a later sample.
  uint64_t missed_ticks(ThreadRecord& record, int64_t least_ns) const;

  const char* name() const { return uses_perf_ ? "perf task-clock" : "posix cpu timer"; }

  // Signal-safe: CPU time of the calling thread.
  static int64_t thread_cpu_ns();

 private:
  static void forget_past(ThreadRecord& record);
  int open_perf(int32_t os_id) const;
  bool start_perf(ThreadRecord& record) const;
  bool start_timer(ThreadRecord& record, int signal) const;

  const int signal_;
  const bool has_spare_;
  const int64_t period_ns_;
  bool uses_perf_ = false;
  bool may_see_kernel_ = true;
};

}  // namespace rec::agent
