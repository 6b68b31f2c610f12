// SPDX-License-Identifier: Apache-2.0
// CpuSampling is the clock `cpu`: each thread of the process, or of Java, has one of its own (thread_clocks.h), and those
// that Java does not know are looked for (native_threads.h).
#pragma once

#include "agent/options/options.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/native_threads.h"
#include "agent/sampling/thread_clocks.h"

namespace rec::agent {

class CpuSampling final : public Clock {
 public:
  CpuSampling(Sampler& sampler, ThreadRegistry& threads, const Options& options)
      : sampler_(sampler), options_(options), clocks_(sampler, threads), native_threads_(threads, clocks_) {}

  // Which clock it is, or would be, with this interval. Some 6 ms of CPU where perf is in question, once for each interval.
  const ClockChoice& choose(int64_t interval);
  // Before start(): whose time it is, instead of what the options say.
  void sample_threads(SampledThreads whose) { whose_ = whose; }

  const char* name() const override { return "cpu"; }
  base::Status start(JNIEnv* jni, int64_t interval) override;
  base::Status change(int64_t interval) override;
  void stop(JNIEnv* jni) override;
  void tend() override;
  ClockStatus status() override;

  // Nothing while it does not run. A Java thread that is there at the start, or begins; one that ends, in itself; and once
  // all that are there are known: the others.
  void thread_present(ThreadRecord& record, CountFrom from);
  void thread_ended(ThreadRecord& record);
  // In a thread that Java knows no longer, and has known before.
  void thread_has_left_again() { native_threads_.has_left_again(); }
  // resumed: it has just stopped, for another interval; what ran meanwhile is counted (Note::kChangeUnseenMs).
  void all_java_present(bool resumed);

  bool without_signal() const { return clocks_.without_signal(); }
  ClockFigures figures();
  // Before a chunk ends: its counters have what the clocks have done until then. One at a time, as tend().
  void tell();

 private:
  void say_which() const;

  Sampler& sampler_;
  const Options options_;
  SampledThreads whose_ = options_.sampled_threads;
  int64_t asked_ns_ = 0;  // 0: not chosen yet; of
  ClockChoice choice_;
  ClockChoice runs_;  // since it started
  ThreadClocks clocks_;
  NativeThreads native_threads_;
  std::atomic<bool> running_{false};
  uint32_t tends_ = 0;  // the housekeeper's
};

}  // namespace rec::agent
