// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/thread_clocks.h"

#include <cerrno>
#include <utility>

#include "agent/options/log.h"
#include "agent/process/os_state.h"
#include "base/clock.h"
#include "base/result.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int64_t kDeafNs = 1'000'000'000;  // of CPU without a sample: one looks whether the thread blocks the signal
constexpr uint32_t kLooksASecond = 1000;    // at threads
constexpr uint32_t kTendsATelling = 10;
constexpr int64_t kFewTicks = 4;           // of a clock that stops: as many may be under way
constexpr uint64_t kTicksWorthALook = 16;  // since the last look: a thread that may switch often
constexpr int64_t kYoungNs = 10'000'000;   // of CPU: a thread that has its clock from its start on, as good as
constexpr int64_t kDearShare = 10;         // perf's part of a thread's CPU beyond which it is one in ...

}  // namespace

void ThreadClocks::open(const ClockChoice& choice) {
  has_spare_signal_ = Sampler::take_spare_signal();
  threads_.exclusively([&] {
    clock_ = std::make_unique<CpuClock>(sampler_.signal().number(), has_spare_signal_, choice);
    running_ = true;
  });
}

void ThreadClocks::start(ThreadRecord& record, CountFrom from) {
  threads_.exclusively([&] {
    if (!running_ || record.clocked || record.unclocked) return;
    record.forget_tags();
    const int64_t cpu_ns = CpuClock::cpu_ns(record);
    if (cpu_ns > kYoungNs) from = CountFrom::kNow;  // it has come to Java late
    record.tally.reset(from == CountFrom::kBirth ? 0 : cpu_ns);
    begin(record, from);
  });
}

void ThreadClocks::begin(ThreadRecord& record, CountFrom from) {
  record.clocked = clock_->start(record, from);
  record.unclocked = !record.clocked;
  if (record.unclocked) refused_.store(errno, std::memory_order_relaxed);
}

void ThreadClocks::count_unclocked(ThreadRecord& record) const {
  if (const uint64_t due = clock_->due_without_clock(record); due != 0) Engine::losses().count(Loss::kNoClock, due);
}

void ThreadClocks::give_up(ThreadRecord& record) {
  if (record.unclocked) {
    count_unclocked(record);
    record.unclocked = false;
  }
  if (!record.clocked) return;
  count_missed(record, kFewTicks * choice().period_ns);
  clock_->stop(record);
  before_.add(record);
  record.clocked = false;
}

void ThreadClocks::thread_ended(ThreadRecord& record) {
  threads_.exclusively([&] {
    if (!record.clocked && !record.unclocked) return;
    LossCounters& losses = Engine::losses();
    losses.note(Note::kThreadsEnded);
    if (record.tally.ticks.load(std::memory_order_relaxed) == 0) losses.note(Note::kThreadsUnsampled);
    give_up(record);
  });
}

void ThreadClocks::stop() {
  threads_.exclusively([&] { running_ = false; });
  threads_.for_each([this](ThreadRecord& record) { give_up(record); });
  tell();
  say_unclocked();
}

// What is new, into the counters of the chunks. Threads that end meanwhile may be missing: then it is told the next time.
void ThreadClocks::tell() {
  const ClockFigures now = figures();
  const auto note = [](Note what, int64_t sum, int64_t& told) {
    if (sum > told) Engine::losses().note(what, static_cast<uint64_t>(sum - std::exchange(told, sum)));
  };
  note(Note::kTicks, static_cast<int64_t>(now.ticks), told_.ticks);
  note(Note::kCpuMs, now.cpu_ns / 1'000'000, told_.cpu_ms);
  note(Note::kHandlerUs, now.handlers_us(), told_.handler_us);
}

void ThreadClocks::tend() {
  if (tends_++ % kTendsATelling == 0) tell();
  keep_signal();
  if (has_spare_signal_) Sampler::take_spare_signal();
  look_after_some();
  say_unclocked();
}

void ThreadClocks::say_unclocked() {
  const int error = refused_.load(std::memory_order_relaxed);
  if (error == 0 || std::exchange(said_unclocked_, true)) return;
  say(LogLevel::kWarn, base::system_error("timer_create", error).what + (error == EAGAIN ? " (ulimit -i)" : "") +
                           ": there are threads without a clock; what they run is counted as lost (noClock)");
}

void ThreadClocks::keep_signal() {
  OwnSignal& signal = sampler_.signal();
  if (without_signal_ || signal.is_ours()) return;
  without_signal_ = !signal.take();
  if (without_signal_)
    return say(LogLevel::kWarn, "somebody took over the clock's signal, and none is free: no samples");
  restart_all();
  say(LogLevel::kWarn, "somebody took over the clock's signal; the clock uses another one now");
}

void ThreadClocks::restart_all() {
  threads_.for_each([&](ThreadRecord& record) {
    if (record.clocked) clock_->stop(record);
  });
  threads_.exclusively(
      [&] { clock_ = std::make_unique<CpuClock>(sampler_.signal().number(), has_spare_signal_, choice()); });
  threads_.for_each([&](ThreadRecord& record) {
    if (record.clocked && running_) begin(record, CountFrom::kNow);
  });
}

void ThreadClocks::look_after_some() {
  bool blocked = false;
  look_from_ = threads_.try_some(look_from_, kLooksASecond, [&](ThreadRecord& record) {
    if (!running_) return;
    if (record.unclocked) {
      count_unclocked(record);
      return begin(record, CountFrom::kNow);
    }
    if (!record.clocked) return;
    const bool deaf = count_missed(record, kDeafNs) != 0;  // it has begun to block the clock's signal
    blocked = blocked || deaf;
    const bool restless = !deaf && switches_often(record);
    if (!restless && (!deaf || record.clock_signal == kSpareClockSignal)) return;
    clock_->stop(record);
    if (!restless || !clock_->start_timer(record)) begin(record, CountFrom::kNow);
  });
  if (!blocked || std::exchange(said_blocked_, true)) return;
  say(LogLevel::kWarn,
      "a thread blocks the clock's signal: what it has run meanwhile is counted as lost (signalBlocked)");
}

// perf programs the processor's timer each time the thread goes on a processor, at the price of a tick.
bool ThreadClocks::switches_often(ThreadRecord& record) const {
  TickTally& tally = record.tally;
  const uint64_t ticks = tally.ticks.load(std::memory_order_relaxed);
  if (record.perf_fd.load(std::memory_order_relaxed) < 0 || choice().perf_cost_ns == 0) return false;
  if (ticks - tally.looked < kTicksWorthALook) return false;
  const bool first = tally.looked == 0 && tally.begin_ns > kYoungNs;  // one does not know what it did before
  const uint64_t switched = times_on_processor(record.os_id.load(std::memory_order_relaxed));
  const auto cpu_ns = static_cast<int64_t>(ticks - std::exchange(tally.looked, ticks)) * choice().period_ns;
  const auto switches = static_cast<int64_t>(switched - std::exchange(tally.switched, switched));
  return !first && switches * choice().perf_cost_ns > cpu_ns / kDearShare;
}

uint64_t ThreadClocks::count_missed(ThreadRecord& record, int64_t least_ns) const {
  const uint64_t ticks = clock_->missed_ticks(record, least_ns);
  if (ticks != 0) Engine::losses().count(Loss::kSignalBlocked, ticks);
  return ticks;
}

ClockFigures ThreadClocks::figures() {
  ClockFigures figures;
  threads_.exclusively([&] { figures = before_; });
  threads_.for_each([&](ThreadRecord& record) {
    if (record.clocked) figures.add(record);
  });
  return figures;
}

void ClockFigures::add(const ThreadRecord& record) {
  ticks += record.tally.ticks.load(std::memory_order_relaxed);
  timed += record.tally.timed.load(std::memory_order_relaxed);
  timed_ns += record.tally.timed_ns.load(std::memory_order_relaxed);
  cpu_ns += CpuClock::cpu_ns(record) - record.tally.begin_ns;
}

}  // namespace rec::agent
