// SPDX-License-Identifier: Apache-2.0
// CpuClock sends a thread a signal each time it has used another period of CPU.
//
//   perf task-clock   driven by high resolution timers: any period; needs perf_event_open, which some containers forbid
//   POSIX CPU timer   works everywhere, but ticks with the kernel's CONFIG_HZ: 4 ms at 250
//
// A tick may stand for several periods (a coarse timer, ticks merged while the signal was blocked, kernel time that
// perf may not interrupt): the sampler takes a sample's weight from the thread's CPU time, so nothing is undercounted.
#pragma once

#include <cstdint>
#include <string>

#include "agent/sampling/thread_record.h"

namespace rec::agent {

class CpuClock {
 public:
  // Finds out which clock this process may use. signal: what the ticks raise.
  CpuClock(int signal, int64_t period_ns);

  // Ordinary threads, any thread's record that has no clock. False when the system refused; the record has no clock
  // then.
  bool start(ThreadRecord& record) const;
  void stop(ThreadRecord& record) const;

  const char* name() const { return uses_perf_ ? "perf task-clock" : "posix cpu timer"; }

  // Signal-safe: CPU time of the calling thread.
  static int64_t thread_cpu_ns();

 private:
  static void forget_past(ThreadRecord& record);
  int open_perf(int32_t os_id) const;
  bool start_perf(ThreadRecord& record) const;
  bool start_timer(ThreadRecord& record) const;

  const int signal_;
  const int64_t period_ns_;
  bool uses_perf_ = false;
  bool may_see_kernel_ = true;
};

}  // namespace rec::agent
