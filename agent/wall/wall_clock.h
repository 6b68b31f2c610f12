// SPDX-License-Identifier: Apache-2.0
// WallClock is the clock `wall`: what threads do with their time, also when they sleep, wait or are blocked. A thread of
// ours visits them (wall_watch.h). Its samples are profiler.WallClockSample, as async-profiler has them, since JFR has none.
#pragma once

#include <memory>
#include <mutex>

#include "agent/process/housekeeper.h"
#include "agent/sampling/clock.h"
#include "agent/wall/wall_watch.h"

namespace rec::agent {

class WallClock final : public Clock {
 public:
  // cpu: if it runs when this one starts, samples of a thread that runs come from it (Sampler::set_output()).
  // sets, as the rest, outlives all threads of this clock.
  WallClock(const VmCode& vm, ThreadRegistry& threads, ThreadSets& sets, WallRequests& requests, Clock& cpu)
      : vm_(vm), threads_(threads), sets_(sets), requests_(requests), cpu_(cpu) {}

  const char* name() const override { return "wall"; }
  base::Status start(JNIEnv* jni, int64_t interval) override;
  base::Status change(int64_t interval) override;
  void stop(JNIEnv* jni) override;
  ClockStatus status() override;

  // Nothing while it does not run. A Java thread that is there at the start, or begins; one that ends, in itself.
  void thread_present(ThreadRecord& record);
  void thread_ended(ThreadRecord& record);
  // Before a chunk that is the last of a recording or a dump: what stands still is written up to now. Any ordinary thread.
  void tell_standing();
  // Before an epoch ends: stacks of those that stand still are kept beyond it.
  void keep_standing();

 private:
  std::shared_ptr<WallWatch> watch() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return watch_;
  }
  void set_watch(std::shared_ptr<WallWatch> watch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    watch_.swap(watch);
  }

  const VmCode& vm_;
  ThreadRegistry& threads_;
  ThreadSets& sets_;
  WallRequests& requests_;
  Clock& cpu_;
  Housekeeper thread_;
  mutable std::mutex mutex_;          // for the moment of a copy: not every C++ library has atomics of such pointers
  std::shared_ptr<WallWatch> watch_;  // its thread has it, too
};

}  // namespace rec::agent
