// SPDX-License-Identifier: Apache-2.0
// ThreadClocks gives each thread of a recording its clock, and takes it away. Once a second it looks after them:
//
//   somebody took the clock's signal                         -> another signal for all
//   a thread blocks it                                       -> what was missed is counted, and the spare signal
//   a thread has none, since the system refused         -> what it is not sampled for is counted; another try
//   a thread goes on and off processors more than perf bears -> a timer
//
// A native thread that blocks the clock's signal, has none, or is ours has its CPU time read instead: it has no stack to be
// walked, so its samples need no handler.
//
// Ordinary threads; what happens to one record happens under the registry's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/sampling/cpu_clock.h"
#include "agent/sampling/sampler.h"
#include "agent/sampling/thread_registry.h"

namespace rec::agent {

// What the clocks have done since they were opened.
struct ClockFigures {
  uint64_t ticks = 0, timed = 0;
  int64_t cpu_ns = 0;                                       // of the threads, while they had a clock
  int64_t unclocked_ns = 0;                                 // of those that should have had one
  int64_t told_ns = 0;                                      // of both: what samples and losses stand for, or will
  int64_t timed_ns = 0;                                     // of `timed` handlers
  void add(const ThreadRecord& record, int64_t period_ns);  // whose clock runs: all of its time will be told
  // Whose clock has stopped, whose thread ends, or whose thread has gone: its time is known by its samples alone.
  void add_stopped(const ThreadRecord& record, int64_t period_ns);
  void add_ended(const ThreadRecord& record, int64_t period_ns);
  void add_gone(const ThreadRecord& record, int64_t period_ns);
  double ticks_a_second() const {
    return cpu_ns > 0 ? static_cast<double>(ticks) * 1e9 / static_cast<double>(cpu_ns) : 0;
  }
  int64_t handlers_us() const { return handler_ns() * static_cast<int64_t>(ticks) / 1000; }
  int64_t handler_ns() const { return timed > 0 ? timed_ns / static_cast<int64_t>(timed) : 0; }  // 0: not known

 private:
  void add_ticks(const TickTally& tally);
  int64_t add_used(const ThreadRecord& record, int64_t period_ns);  // and its ticks; what it used, ns
};

class ThreadClocks {
 public:
  ThreadClocks(Sampler& sampler, ThreadRegistry& threads) : sampler_(sampler), threads_(threads) {}

  // The sampler is configured, and handles a signal. No thread has a clock as yet.
  void open(const ClockChoice& choice);
  // All threads have one: what threads run without a clock from here on is counted. resume_all(): likewise, of clocks that have
  // just stopped for another interval; what ran meanwhile is told by itself.
  void begin_all();
  void resume_all();
  // What is new, into the counters of the open chunk.
  void tell();
  void start(ThreadRecord& record, CountFrom from);           // nothing if it has one, or after stop()
  void start_native(ThreadRecord& record);                    // likewise; from now on
  void start_native(ThreadRecord& record, int64_t known_ns);  // what it has used beyond that is written as samples
  void thread_ended(ThreadRecord& record);                    // in the thread itself
  void native_gone(ThreadRecord& record);                     // from ThreadRegistry::drop_natives()
  void read_all();                                            // of the threads that have to be read, what is new
  void stop();
  void tend();

  bool without_signal() const { return without_signal_; }
  const ClockChoice& choice() const { return clock_->choice(); }
  ClockFigures figures();

 private:
  void give_up(ThreadRecord& record);
  void stop_clock(ThreadRecord& record);
  void count_unseen(int64_t unseen_ns);
  void restart_all();
  void keep_signal();
  void look_after_some();
  bool switches_often(ThreadRecord& record) const;
  void begin_again(ThreadRecord& record);
  bool look_after(ThreadRecord& record);
  void begin(ThreadRecord& record, CountFrom from);
  void begin_native(ThreadRecord& record);
  void read(ThreadRecord& record);
  void end_reading(ThreadRecord& record);
  void take_missed(ThreadRecord& record, int64_t least_ns);
  void count_unclocked(ThreadRecord& record) const;
  static void count_lost(ThreadRecord& record, Loss loss, uint64_t ticks);
  void say_unclocked();
  void count_missed(ThreadRecord& record, uint64_t ticks);

  Sampler& sampler_;
  ThreadRegistry& threads_;
  std::unique_ptr<CpuClock> clock_;  // this and the next two: under the registry's lock
  bool running_ = false;
  ClockFigures before_;              // of clocks that have stopped
  std::vector<ThreadRecord*> read_;  // under the registry's lock: those with is_read
  bool has_spare_signal_ = false;
  bool without_signal_ = false;  // from here on: nobody but the housekeeper
  bool said_blocked_ = false, said_unclocked_ = false;
  std::atomic<int> refused_{0};  // errno of the system when it gave a thread no clock
  uint32_t look_from_ = 0;
  uint32_t tends_ = 0;
  struct {
    int64_t ticks = 0, cpu_ms = 0, handler_us = 0, process_ms = 0, unseen = 0;
  } told_;                                    // to the counters
  std::atomic<int64_t> process_begin_ns_{0};  // CPU time of the process at begin_all(); 0: not all have one
  int64_t process_stop_ns_ = 0;               // and at stop()
};

}  // namespace rec::agent
