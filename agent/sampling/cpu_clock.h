// SPDX-License-Identifier: Apache-2.0
// CpuClock sends a thread a signal each time it has used another period of CPU: by perf's task-clock or by a POSIX timer
// (clock_choice.h), from a random phase on (cpu_account.h).
//
// A tick may stand for several periods (the kernel's tick is longer than the period, ticks merged while the thread was
// in the kernel or blocked the signal): what a sample stands for follows from the thread's CPU time, so nothing is
// undercounted.
//
// A thread that blocks the signal is given the spare one instead, by a timer: perf's code for a tick is a division's on
// old kernels. One that blocks both, or begins to block while its clock runs, is not heard of: missed_ticks() counts.
//
// The first ticks are others than those to come: perf has one period for all, and a timer is to tick with each of the
// kernel's ticks for a while. The thread's handler sets the clock then. (PERF_EVENT_IOC_REFRESH, which lets a counter stop
// after one tick, is no help: that stop may come after the handler has started it again, and it hangs Linux 6.16 and 6.17.)
//
//   kFirst --go_on()--> kChanging --> kSteady
//      +------------- stop() -----------+---> kStopped      who finds kChanging waits
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>

#include "agent/sampling/clock_choice.h"
#include "agent/sampling/own_signal.h"
#include "agent/sampling/thread_record.h"

namespace rec::agent {

// CPU time that a thread had used before is none of the recording's, unless the thread has begun while it ran.
enum class CountFrom : uint8_t { kNow, kBirth };

class CpuClock {
 public:
  // signal: what the ticks raise; has_spare: kSpareClockSignal is handled, too.
  CpuClock(int signal, bool has_spare, const ClockChoice& choice);

  // Ordinary threads, any thread's record that has no clock. False when the system refused (errno); the record has none
  // then, but an account of what it is not sampled for.
  bool start(ThreadRecord& record, CountFrom from = CountFrom::kNow) const;
  bool start_timer(ThreadRecord& record) const;  // whatever was chosen
  void stop(ThreadRecord& record) const;

  // Ordinary threads. Somebody has closed the thread's descriptor, and its number may be his by now.
  static bool is_closed(const ThreadRecord& record);

  // Ordinary threads. Periods of CPU since the last sample of a thread that blocks its clock's signal; 0: less than
  // least_ns, or it does not. What is counted once is not counted again, nor by a later sample.
  uint64_t missed_ticks(ThreadRecord& record, int64_t least_ns) const;

  // Ordinary threads. Samples that a thread without a clock is worth by now, on the average; counted once.
  uint64_t due_without_clock(ThreadRecord& record) const;

  // Samples that so much CPU of a thread is worth, on the average.
  uint64_t worth(int64_t cpu_ns) const;
  // The account of a thread without a clock begins now.
  void open_account(ThreadRecord& record) const { open_account(record, 0, CountFrom::kNow); }

  // The system call that refused a clock the last time; start() told errno.
  const char* refused_call() const { return refused_call_.load(std::memory_order_relaxed); }
  int signal() const { return signal_; }
  const ClockChoice& choice() const { return choice_; }
  static int64_t cpu_ns(const ThreadRecord& record);  // of a thread that lives

  // Signal-safe, all. A thread's tick is told from what else raises the signal.
  static bool is_tick(const siginfo_t& info);
  static bool is_of(const siginfo_t& info, const ThreadRecord& record);
  static void go_on(ThreadRecord& record, int64_t period_ns);  // at each tick
  static int64_t thread_cpu_ns();                              // of the calling thread
  static int64_t thread_switches();  // how often the calling thread has left the processor; -1: not known

 private:
  static bool take_from_handler(ThreadRecord& record);
  FirstTick open_account(ThreadRecord& record, int64_t tick_ns, CountFrom from) const;
  bool start_any(ThreadRecord& record, CountFrom from) const;
  bool start_perf(ThreadRecord& record, CountFrom from, bool sees_kernel) const;
  bool start_timer(ThreadRecord& record, int signal, CountFrom from) const;
  bool refused(const char* call) const;

  const int signal_;
  const bool has_spare_;
  const ClockChoice choice_;
  mutable std::atomic<uint64_t> phase_;
  mutable std::atomic<const char*> refused_call_{"timer_create"};
};

}  // namespace rec::agent
