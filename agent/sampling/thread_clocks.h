// SPDX-License-Identifier: Apache-2.0
// ThreadClocks gives each thread of a recording its clock, and takes it away. Once a second it looks after them:
//
//   somebody took the clock's signal                         -> another signal for all
//   a thread blocks it                                       -> what was missed is counted, and the spare signal
//   a thread has none, since the system refused         -> what it is not sampled for is counted; another try
//   a thread goes on and off processors more than perf bears -> a timer
//
// Ordinary threads; what happens to one record happens under the registry's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "agent/sampling/cpu_clock.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

// What the clocks have done since the recording began.
struct ClockFigures {
  uint64_t ticks = 0, timed = 0;
  int64_t cpu_ns = 0;                    // of the threads, while they had a clock
  int64_t timed_ns = 0;                  // of `timed` handlers
  void add(const ThreadRecord& record);  // whose thread lives
  double ticks_a_second() const {
    return cpu_ns > 0 ? static_cast<double>(ticks) * 1e9 / static_cast<double>(cpu_ns) : 0;
  }
  int64_t handlers_us() const { return handler_ns() * static_cast<int64_t>(ticks) / 1000; }
  int64_t handler_ns() const { return timed > 0 ? timed_ns / static_cast<int64_t>(timed) : 0; }  // 0: not known
};

class ThreadClocks {
 public:
  ThreadClocks(Sampler& sampler, ThreadRegistry& threads) : sampler_(sampler), threads_(threads) {}

  // The sampler is configured, and handles a signal. No thread has a clock as yet.
  void open(const ClockChoice& choice);
  void start(ThreadRecord& record, CountFrom from);  // nothing if it has one, or after stop()
  void thread_ended(ThreadRecord& record);           // in the thread itself
  void stop();
  void tend();

  bool without_signal() const { return without_signal_; }
  const ClockChoice& choice() const { return clock_->choice(); }
  ClockFigures figures();

 private:
  void give_up(ThreadRecord& record);
  void tell();
  void restart_all();
  void keep_signal();
  void look_after_some();
  bool switches_often(ThreadRecord& record) const;
  void begin(ThreadRecord& record, CountFrom from);
  void count_unclocked(ThreadRecord& record) const;
  void say_unclocked();
  uint64_t count_missed(ThreadRecord& record, int64_t least_ns) const;

  Sampler& sampler_;
  ThreadRegistry& threads_;
  std::unique_ptr<CpuClock> clock_;  // this and the next two: under the registry's lock
  bool running_ = false;
  ClockFigures before_;  // of clocks that have stopped
  bool has_spare_signal_ = false;
  bool without_signal_ = false;  // from here on: nobody but the housekeeper
  bool said_blocked_ = false, said_unclocked_ = false;
  std::atomic<int> refused_{0};  // errno of the system when it gave a thread no clock
  uint32_t look_from_ = 0;
  uint32_t tends_ = 0;
  struct {
    int64_t ticks = 0, cpu_ms = 0, handler_us = 0;
  } told_;  // to the counters
};

}  // namespace rec::agent
