// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/cpu_sampling.h"

#include "agent/options/log.h"
#include "base/clock.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr uint32_t kTendsASecond = base::kSecond_ns / NativeThreads::kLookNs;

}  // namespace

const ClockChoice& CpuSampling::choose() {
  if (choice_.period_ns == 0) choice_ = choose_clock(options_);
  return choice_;
}

base::Status CpuSampling::start(JNIEnv*, int64_t) {
  sampler_.set_clock(choose());
  if (!sampler_.signal().take()) return clock_refused("finds no signal that is free");
  clocks_.open(choice_);
  // release: pairs with the acquire in thread_present(): the clocks are open.
  running_.store(true, std::memory_order_release);
  say_which();
  return base::Done{};
}

void CpuSampling::say_which() const {
  const std::string period = base::duration_text(choice_.period_ns);
  if (!choice_.why.empty()) say(LogLevel::kWarn, "samples are " + period + " of CPU time apart: " + choice_.why);
  if (options_.event == SampledEvent::kItimer && !choice_.uses_perf)
    say(LogLevel::kWarn, "event=itimer: each thread has a timer of its own, not one of the process");
}

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
  const bool chosen = choice_.period_ns != 0;
  return {running_.load(std::memory_order_relaxed), choice_.period_ns, chosen ? choice_.name() : ""};
}

// acquire: pairs with the release in start().
void CpuSampling::thread_present(ThreadRecord& record, CountFrom from) {
  if (running_.load(std::memory_order_acquire)) clocks_.start(record, from);
}

// Whoever has a clock gives it back, also while stop() is under way.
void CpuSampling::thread_ended(ThreadRecord& record) { clocks_.thread_ended(record); }

void CpuSampling::all_java_present() {
  if (!running_.load(std::memory_order_relaxed) || options_.sampled_threads != SampledThreads::kAll) return;
  clocks_.begin_all();
  native_threads_.open();
}

ClockFigures CpuSampling::figures() { return clocks_.figures(); }

}  // namespace rec::agent
