// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/thread_clocks.h"

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "agent/options/log.h"
#include "agent/process/os_state.h"
#include "agent/sampling/timer_refusal.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int64_t kDeafNs = 1'000'000'000;  // of CPU without a sample: one looks whether the thread blocks the signal
constexpr uint32_t kLooksASecond = 1000;    // at threads
constexpr uint32_t kTendsATelling = 10;
constexpr int64_t kFewTicks = 4;           // of a clock that stops: as many may be under way
constexpr uint64_t kTicksWorthALook = 16;  // since the last look: a thread that may switch often
constexpr int64_t kYoungNs = 10'000'000;   // of CPU: a thread that has its clock from its start on, as good as
// Likewise: Java's own threads are told of behind 0.1 ms; one of a library may attach itself again and again.
constexpr int64_t kJustBegunNs = 500'000;
constexpr int64_t kDearShare = 10;  // perf's part of a thread's CPU beyond which it is one in ...

int64_t process_cpu_ns() { return base::read_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

bool is_native(const ThreadRecord& record) { return record.kind != ThreadKind::kJava; }

}  // namespace

void ThreadClocks::open(const ClockChoice& choice) {
  has_spare_signal_ = Sampler::take_spare_signal();
  threads_.exclusively([&] {
    clock_ = std::make_unique<CpuClock>(sampler_.signal().number(), has_spare_signal_, choice);
    running_ = true;
    before_ = {};
  });
  told_ = {};
  without_signal_ = false;
}

void ThreadClocks::begin_all() { process_begin_ns_.store(process_cpu_ns(), std::memory_order_relaxed); }

void ThreadClocks::resume_all() {
  const ClockFigures now = figures();
  const int64_t since_stop_ns = process_cpu_ns() - process_stop_ns_;
  const int64_t unseen_ns = std::max<int64_t>(since_stop_ns - now.told_ns, 0);
  for (const Note note : {Note::kChangeUnseenMs, Note::kProcessCpuMs})
    Engine::losses().note(note, static_cast<uint64_t>(unseen_ns / 1'000'000));
  process_begin_ns_.store(process_stop_ns_ + unseen_ns, std::memory_order_relaxed);
}

void ThreadClocks::start(ThreadRecord& record, CountFrom from) {
  threads_.exclusively([&] {
    if (running_ && record.is_read && !is_native(record)) give_up(record);  // it has come to know Java
    if (!running_ || record.clocked || record.unclocked) return;
    const int64_t cpu_ns = CpuClock::cpu_ns(record);
    if (cpu_ns > kJustBegunNs) from = CountFrom::kNow;  // it has come to Java late
    record.tally.reset(from == CountFrom::kBirth ? 0 : cpu_ns);
    begin(record, from);
  });
}

void ThreadClocks::begin(ThreadRecord& record, CountFrom from) {
  if (is_native(record)) return begin_native(record);
  record.clocked = clock_->start(record, from);
  record.unclocked = !record.clocked;
  if (record.clocked) return;
  const int error = errno;
  const bool is_gone = CpuClock::cpu_ns(record) <= 0;  // nobody can give it a clock any more
  if (!is_gone) refused_.store(error, std::memory_order_relaxed);
}

void ThreadClocks::count_unclocked(ThreadRecord& record) const {
  count_lost(record, Loss::kNoClock, clock_->due_without_clock(record));
}

void ThreadClocks::count_lost(ThreadRecord& record, Loss loss, uint64_t ticks) {
  if (ticks == 0) return;
  record.tally.add_samples(ticks);
  Engine::losses().count(loss, ticks);
}

void ThreadClocks::give_up(ThreadRecord& record) {
  if (!record.clocked && !record.unclocked) return;
  stop_clock(record);
  before_.add_stopped(record, choice().period_ns);
}

void ThreadClocks::stop_clock(ThreadRecord& record) {
  const bool unclocked = std::exchange(record.unclocked, false);
  record.clocked = false;
  if (unclocked) return count_unclocked(record);
  take_missed(record, kFewTicks * choice().period_ns);
  clock_->stop(record);
  end_reading(record);
}

void ThreadClocks::thread_ended(ThreadRecord& record) {
  threads_.exclusively([&] {
    if (!record.clocked && !record.unclocked) return;
    LossCounters& losses = Engine::losses();
    losses.note(Note::kThreadsEnded);
    if (record.tally.ticks.load(std::memory_order_relaxed) == 0) losses.note(Note::kThreadsUnsampled);
    stop_clock(record);
    before_.add_ended(record, choice().period_ns);
  });
}

void ThreadClocks::stop() {
  threads_.exclusively([&] { running_ = false; });
  threads_.for_each_thread([this](ThreadRecord& record) { give_up(record); });
  tell();
  process_stop_ns_ = process_cpu_ns();
  process_begin_ns_.store(0, std::memory_order_relaxed);
  say_unclocked();
}

// Threads that end meanwhile may be missing: then it is told the next time.
void ThreadClocks::tell() {
  const ClockFigures now = figures();
  const auto note = [](Note what, int64_t sum, int64_t& told) {
    if (sum > told) Engine::losses().note(what, static_cast<uint64_t>(sum - std::exchange(told, sum)));
  };
  note(Note::kTicks, static_cast<int64_t>(now.ticks), told_.ticks);
  note(Note::kCpuMs, now.cpu_ns / 1'000'000, told_.cpu_ms);
  note(Note::kHandlerUs, now.handlers_us(), told_.handler_us);
  const int64_t begin_ns = process_begin_ns_.load(std::memory_order_relaxed);
  if (begin_ns == 0) return;
  const int64_t process_ns = process_cpu_ns() - begin_ns;
  note(Note::kProcessCpuMs, process_ns / 1'000'000, told_.process_ms);
  count_unseen(process_ns - now.told_ns);
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
  say(LogLevel::kWarn, TimerRefusal{clock_->refused_call(), error}.text() +
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
  threads_.for_each_thread([&](ThreadRecord& record) {
    if (record.clocked) clock_->stop(record);
  });
  threads_.exclusively(
      [&] { clock_ = std::make_unique<CpuClock>(sampler_.signal().number(), has_spare_signal_, choice()); });
  threads_.for_each_thread([&](ThreadRecord& record) {
    if (record.clocked && running_) begin(record, CountFrom::kNow);
  });
}

void ThreadClocks::look_after_some() {
  bool blocked = false;
  look_from_ = threads_.try_some_threads(look_from_, kLooksASecond, [&](ThreadRecord& record) {
    if (running_) blocked = look_after(record) || blocked;
  });
  if (!blocked || std::exchange(said_blocked_, true)) return;
  say(LogLevel::kWarn,
      "a thread blocks the clock's signal: what it has run meanwhile is counted as lost (signalBlocked)");
}

// Somebody closed its descriptor. What it has run since is counted as lost.
void ThreadClocks::begin_again(ThreadRecord& record) {
  clock_->stop(record);
  is_native(record) ? read(record) : count_unclocked(record);
  begin(record, CountFrom::kNow);
}

// True: what a Java thread has run is lost, since it blocks the clock's signal.
bool ThreadClocks::look_after(ThreadRecord& record) {
  if (record.unclocked) {
    count_unclocked(record);
    begin(record, CountFrom::kNow);
  }
  if (!record.clocked) return false;
  if (record.is_read) return false;
  if (CpuClock::is_closed(record)) return begin_again(record), false;
  const uint64_t missed = clock_->missed_ticks(record, kDeafNs);
  const bool deaf = missed != 0;  // it has begun to block the clock's signal
  count_missed(record, missed);
  const bool restless = !deaf && switches_often(record);
  if (restless || (deaf && record.clock_signal != kSpareClockSignal)) {
    clock_->stop(record);
    if (!restless || !clock_->start_timer(record)) begin(record, CountFrom::kNow);
  }
  return deaf && !is_native(record);
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

void ThreadClocks::count_missed(ThreadRecord& record, uint64_t ticks) {
  if (is_native(record))
    sampler_.record_reading(record, ticks);
  else
    count_lost(record, Loss::kSignalBlocked, ticks);
}

void ThreadClocks::take_missed(ThreadRecord& record, int64_t least_ns) {
  record.is_read ? read(record) : count_missed(record, clock_->missed_ticks(record, least_ns));
}

ClockFigures ThreadClocks::figures() {
  ClockFigures figures;
  threads_.exclusively([&] { figures = before_; });
  threads_.for_each_thread([&](ThreadRecord& record) {
    if (record.clocked || record.unclocked) figures.add(record, choice().period_ns);
  });
  return figures;
}

void ClockFigures::add_ticks(const TickTally& tally) {
  ticks += tally.ticks.load(std::memory_order_relaxed);
  timed += tally.timed.load(std::memory_order_relaxed);
  timed_ns += tally.timed_ns.load(std::memory_order_relaxed);
}

// A thread of the system that never detaches from the VM goes without a word; then nobody knows more than its samples.
int64_t ClockFigures::add_used(const ThreadRecord& record, int64_t period_ns) {
  add_ticks(record.tally);
  const int64_t now_ns = CpuClock::cpu_ns(record);
  const int64_t used_ns =
      now_ns > 0 ? std::max<int64_t>(now_ns - record.tally.begin_ns, 0) : record.tally.samples_ns(period_ns);
  (record.unclocked ? unclocked_ns : cpu_ns) += used_ns;
  return used_ns;
}

void ClockFigures::add(const ThreadRecord& record, int64_t period_ns) { told_ns += add_used(record, period_ns); }

// Less than a sample of a thread that lives on is chance.
void ClockFigures::add_stopped(const ThreadRecord& record, int64_t period_ns) {
  const int64_t samples_ns =
      record.tally.samples_ns(period_ns) - record.account.lent_ns.load(std::memory_order_relaxed);
  told_ns += std::clamp(add_used(record, period_ns), samples_ns - period_ns, samples_ns + period_ns);
}

void ClockFigures::add_ended(const ThreadRecord& record, int64_t period_ns) {
  add_used(record, period_ns);
  told_ns += record.tally.samples_ns(period_ns);
}

void ClockFigures::add_gone(const ThreadRecord& record, int64_t period_ns) {
  add_ticks(record.tally);
  cpu_ns += record.tally.samples_ns(period_ns);
  told_ns += record.tally.samples_ns(period_ns);
}

// --- native threads -------------------------------------------------------------------------------------------------

void ThreadClocks::start_native(ThreadRecord& record) {
  threads_.exclusively([&] {
    if (!running_ || record.clocked || !is_native(record)) return;
    record.tally.reset(CpuClock::cpu_ns(record));
    begin_native(record);
  });
}

void ThreadClocks::start_native(ThreadRecord& record, int64_t known_ns) {
  threads_.exclusively([&] {
    if (!running_ || record.clocked || !is_native(record)) return;
    const int64_t cpu_ns = CpuClock::cpu_ns(record);
    if (cpu_ns < known_ns) known_ns = 0;  // another one, that has the number of one that was known
    record.tally.reset(known_ns);
    sampler_.record_reading(record, clock_->worth(cpu_ns - known_ns));
    begin_native(record);
  });
}

void ThreadClocks::begin_native(ThreadRecord& record) {
  end_reading(record);
  const int32_t os_id = record.os_id.load(std::memory_order_relaxed);
  record.is_read = record.kind == ThreadKind::kOurs || blocks_signal(os_id, clock_->signal()) ||
                   !clock_->start(record, CountFrom::kNow);
  record.clocked = true;
  if (!record.is_read) return;
  clock_->open_account(record);
  read_.push_back(&record);
}

void ThreadClocks::end_reading(ThreadRecord& record) {
  if (std::exchange(record.is_read, false)) std::erase(read_, &record);
}

void ThreadClocks::read_all() {
  threads_.exclusively([&] {
    for (ThreadRecord* each : read_) read(*each);
  });
}

void ThreadClocks::read(ThreadRecord& record) { sampler_.record_reading(record, clock_->due_without_clock(record)); }

void ThreadClocks::native_gone(ThreadRecord& record) {
  if (!record.clocked) return;
  LossCounters& losses = Engine::losses();
  losses.note(Note::kThreadsEnded);
  if (record.tally.samples.load(std::memory_order_relaxed) == 0) losses.note(Note::kThreadsUnsampled);
  clock_->stop(record);
  before_.add_gone(record, choice().period_ns);
  record.clocked = false;
  end_reading(record);
}

// What is left of the process' CPU time when all clocks are taken off it. Of a thread that has ended, only what its samples
// and losses stand for: on the average that is all of its time, unless its clock came too late.
void ThreadClocks::count_unseen(int64_t unseen_ns) {
  const int64_t unseen = unseen_ns / choice().period_ns;
  if (unseen <= told_.unseen) return;
  Engine::losses().count(Loss::kThreadUnseen, static_cast<uint64_t>(unseen - std::exchange(told_.unseen, unseen)));
}

}  // namespace rec::agent
