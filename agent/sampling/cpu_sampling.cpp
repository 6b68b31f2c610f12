// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/cpu_sampling.h"

#include "agent/options/log.h"
#include "base/clock.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr uint32_t kTendsASecond = base::kSecond_ns / NativeThreads::kLookNs;

}  // namespace

const ClockChoice& CpuSampling::choose(int64_t interval) {
  if (asked_ns_ == interval) return choice_;
  Options options = options_;
  options.period_ns = interval;
  choice_ = choose_clock(options);
  asked_ns_ = interval;
  return choice_;
}

base::Status CpuSampling::start(JNIEnv*, int64_t interval) {
  const ClockChoice choice = choose(interval);
  if (!sampler_.signal().take()) return clock_refused("finds no signal that is free");
  runs_ = choice;
  sampler_.set_clock(runs_);
  clocks_.open(runs_);
  // release: pairs with the acquire in thread_present(): the clocks are open.
  running_.store(true, std::memory_order_release);
  say_which();
  return base::Done{};
}

void CpuSampling::say_which() const {
  const std::string period = base::duration_text(runs_.period_ns);
  if (!runs_.no_timers.empty())
    say(LogLevel::kWarn,
        runs_.no_timers + ": the system gives no timers; perf's task-clock is used in their place, at their interval");
  if (!runs_.why.empty()) say(LogLevel::kWarn, "samples are " + period + " of CPU time apart: " + runs_.why);
  if (options_.kernel_frames && !runs_.tells_kernel)
    say(LogLevel::kWarn,
        std::string("cstack=kernel: stacks end where the kernel begins, since ") +
            (runs_.uses_perf ? "perf_event_open may not see the kernel here" : "timers do not see it"));
  if (options_.event == SampledEvent::kItimer && !runs_.uses_perf)
    say(LogLevel::kWarn, "event=itimer: each thread has a timer of its own, not one of the process");
}

// All samples of a chunk stand for the same time: it stops and starts, with a rotation between (ActiveRecording).
base::Status CpuSampling::change(int64_t) { return clock_refused("keeps its interval while it runs"); }

void CpuSampling::stop(JNIEnv*) {
  // acq_rel: pairs with the acquire in thread_present().
  if (!running_.exchange(false, std::memory_order_acq_rel)) return;
  native_threads_.close();
  clocks_.stop();
}

void CpuSampling::tend() {
  if (!running_.load(std::memory_order_relaxed)) return;
  native_threads_.look();
  if (tends_++ % kTendsASecond == 0) clocks_.tend();
}

ClockStatus CpuSampling::status() {
  if (runs_.period_ns == 0) return {};
  return {running_.load(std::memory_order_relaxed), runs_.period_ns, base::duration_text(runs_.period_ns),
          runs_.name()};
}

// acquire: pairs with the release in start().
void CpuSampling::thread_present(ThreadRecord& record, CountFrom from) {
  if (running_.load(std::memory_order_acquire)) clocks_.start(record, from);
}

// Whoever has a clock gives it back, also while stop() is under way.
void CpuSampling::thread_ended(ThreadRecord& record) { clocks_.thread_ended(record); }

void CpuSampling::all_java_present(bool resumed) {
  if (!running_.load(std::memory_order_relaxed) || whose_ != SampledThreads::kAll) return;
  if (!resumed) clocks_.begin_all();
  native_threads_.open();
  if (resumed) clocks_.resume_all();
}

ClockFigures CpuSampling::figures() { return clocks_.figures(); }

void CpuSampling::tell() {
  if (running_.load(std::memory_order_relaxed)) clocks_.tell();
}

}  // namespace rec::agent
