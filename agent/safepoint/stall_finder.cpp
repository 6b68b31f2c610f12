// SPDX-License-Identifier: Apache-2.0
// The watcher's start and end, and safepoints by the JVM's counters. Poll words: stall_finder_words.cpp.
#include "agent/safepoint/stall_finder.h"

#include <sys/prctl.h>

#include <algorithm>

#include "agent/options/log.h"
#include "agent/process/os_state.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr size_t kCalibrationThreads = 8;
constexpr int64_t kEndLookNs = 200'000;
constexpr uint32_t kUptimeTries = 20, kUptimeEach = 16;  // looks
constexpr uint64_t kNativeThread = 1ull << 48;           // in the id of a thread that is not Java's

}  // namespace

StallFinder::StallFinder(const VmCode& vm, ThreadRegistry& threads, StackRequests& requests,
                         const SafepointSettings& settings, Housekeeper::Pause& pause)
    : vm_(vm),
      threads_(threads),
      requests_(requests),
      settings_(settings),
      pause_(pause),
      frozen_(vm, settings.stack_depth) {}

bool StallFinder::open() {
  std::vector<uint64_t> some;
  threads_.for_each([&](ThreadRecord& record) {
    if (some.size() < kCalibrationThreads) some.push_back(record.java_thread);
  });
  words_.open(vm_.layout, some);
  counters_.open();
  if (!counters_.present() && !words_.has_poll_word()) {
    say(LogLevel::kWarn,
        "safepoints are not watched: this VM keeps no counters of them, and its threads no known poll words");
    return false;
  }
  operation_.open();
  vm_thread_ = os_thread_named("VM Thread");
  log_.emplace(settings_.log);
  if (counters_.present()) seen_ = counters_.read();
  last_look_ = base::now_ticks();
  say(LogLevel::kInfo, std::string("safepoints are watched by ") + (counters_.present() ? "counters" : "poll words") +
                           (words_.has_poll_word() ? ", handshakes too" : ", handshakes not: no poll word is known") +
                           (operation_.known() ? "" : "; operations are not known: libjvm.so has no symbols"));
  return true;
}

void StallFinder::run() {
  if (!open()) return;
  while (pause_.wait_for(pause_ns()))
    if (counters_.present())
      look_at_counters();
    else
      look_at_poll_words();
}

int64_t StallFinder::pause_ns() const {
  if (!request_ || request_->doubted) return settings_.poll_ns;
  const int64_t due = request_->seen_ticks + first_wait_ns() - base::now_ticks();
  return std::clamp<int64_t>(due, kLookNs, settings_.poll_ns);
}

bool StallFinder::is_pending(const SafepointCounts& counts) const {
  return counts.requested == request_->number && counts.sync_ns == request_->sync_ns;
}

void StallFinder::note_uptime(int64_t now) {
  const int64_t uptime_ns = counters_.noted_uptime_ns();
  if (uptime_ns > 0) {
    vm_begin_ticks_ = std::min(vm_begin_exact_ ? vm_begin_ticks_ : INT64_MAX, now - uptime_ns);
    vm_begin_exact_ = true;
  } else if (vm_begin_ticks_ == INT64_MAX) {
    if (const int64_t begin_ms = counters_.begin_unix_ms(); begin_ms > 0)
      vm_begin_ticks_ = now - (base::now_unix_ns() - begin_ms * 1'000'000);
  }
  // The VM adds that word to the others a little after it lets agents in.
  if (uptime_ns == 0 && tries_ < kUptimeTries && ++looks_ % kUptimeEach == 0) ++tries_, counters_.open();
}

void StallFinder::look_at_counters() {
  const int64_t now = base::now_ticks();
  note_uptime(now);
  const SafepointCounts counts = counters_.read();
  if (!request_ && counts.requested != seen_.requested) {
    suspects_.clear();  // they were stopped like all others
    request_ = Request{seen_.requested + 1, seen_.sync_ns, last_look_, now, true};
  }
  if (request_) forget_if_over(counts, now);
  if (request_ && !is_pending(counts)) settle(counts, now);
  seen_ = counts;
  last_look_ = now;
  const bool waits = request_ && !request_->doubted;
  if (waits && now - request_->seen_ticks >= first_wait_ns()) watch_request();
  if (!waits && words_.has_poll_word()) look_at_poll_words();
}

// One that may have been over, was, when another is asked for and none was reached since: two are never under way.
void StallFinder::forget_if_over(const SafepointCounts& counts, int64_t now) {
  if (request_->certain || counts.requested == request_->number || counts.sync_ns != request_->sync_ns) return;
  request_ = Request{counts.requested, counts.sync_ns, last_look_, now, counts.requested == request_->number + 1};
}

// The request is over, perhaps others after it, and the last of these may be under way.
void StallFinder::settle(const SafepointCounts& counts, int64_t now) {
  if (request_->doubted && counts.requested != request_->number)  // it was over, then
    request_ = Request{request_->number + 1, request_->sync_ns, last_look_, now, true};
  const auto length = static_cast<int64_t>(counts.sync_ns - request_->sync_ns);
  const auto requests = static_cast<int64_t>(counts.requested - request_->number) + 1;
  if (requests == 1) {
    if (length >= settings_.threshold_ns)
      write_unwatched(counts, length, now, "it was over before the threads were looked at");
    return request_.reset();
  }
  if (length / requests >= settings_.threshold_ns)
    write_unwatched(counts, length / requests, now,
                    std::to_string(requests) + " safepoints followed each other at once: this is their mean");
  else if (length >= settings_.threshold_ns)
    Engine::losses().note(Note::kSafepointsUnseen, static_cast<uint64_t>(requests));
  request_ = Request{counts.requested, counts.sync_ns, last_look_, now, false};
}

void StallFinder::write_unwatched(const SafepointCounts& counts, int64_t length_ns, int64_t now, std::string remark) {
  TimeToSafepoint stall;
  stall.id = static_cast<int64_t>(request_->number);
  stall.duration_ns = length_ns;
  stall.start_ticks =
      std::clamp(now - length_ns, request_->from_ticks, std::max(request_->seen_ticks, request_->from_ticks));
  stall.start_error_ns = std::max<int64_t>(now - last_look_, request_->seen_ticks - request_->from_ticks);
  stall.source = "counters";
  stall.remark = std::move(remark);
  stall.operation = counts.requested == request_->number ? operation_.current() : "";
  finish_with(stall, {});
}

void StallFinder::watch_request() {
  const Request request = *request_;
  using Running = LateThreads::Running;
  LateThreads late(tools(), request.certain ? Running::kTardy : Running::kArmed, static_cast<int64_t>(request.number),
                   request.seen_ticks);
  if (request.certain || words_.has_poll_word()) late.list();
  if (!is_pending(counters_.read())) return;  // the next look settles it
  request_->doubted = !request.certain && late.late() <= 0;
  if (request_->doubted) return;

  TimeToSafepoint stall;
  stall.id = static_cast<int64_t>(request.number);
  stall.source = "counters";
  const auto over = [&] { return !is_pending(counters_.read()); };
  const uint64_t stopped_ns = counters_.read().stopped_ns;
  const auto still = [&] {
    const SafepointCounts counts = counters_.read();
    return counts.requested == request.number && counts.stopped_ns == stopped_ns;
  };
  late.look(still, LateThreads::Ask::kWhenDue);
  if (!over()) stall.operation = operation_.current();
  stall.reached = watch(late, over, still);
  const int64_t reached_ticks = base::now_ticks();
  const SafepointCounts reached = counters_.read();
  const bool exact = stall.reached && reached.requested == request.number;
  stall.duration_ns =
      exact ? static_cast<int64_t>(reached.sync_ns - request.sync_ns) : reached_ticks - request.seen_ticks;
  stall.start_ticks = exact ? std::clamp(reached_ticks - stall.duration_ns, request.from_ticks, request.seen_ticks)
                            : request.seen_ticks;
  stall.start_error_ns =
      exact ? std::min(last_gap_ns_, request.seen_ticks - request.from_ticks) : request.seen_ticks - request.from_ticks;
  stall.duration_error_ns = exact ? 0 : stall.start_error_ns + last_gap_ns_;
  if (!stall.reached) stall.remark = "the recording ended before it was reached";
  if (stall.reached && !exact)
    stall.remark = "another safepoint followed at once, and their figures cannot be told apart";
  if (exact) wait_for_end(request.number, stopped_ns, stall);
  finish(stall, late, reached_ticks);
  request_.reset();
  seen_ = reached;
  if (exact) seen_.requested = request.number;
  last_look_ = reached_ticks;
}

// How long the threads stood still then, and why, if it was a collection. It may be over when it is seen to be reached.
// The next request ends it too, unsaid.
void StallFinder::wait_for_end(uint64_t number, uint64_t stopped_before_ns, TimeToSafepoint& stall) {
  for (int64_t pause = kEndLookNs;; pause = std::min(2 * pause, settings_.poll_ns)) {
    const SafepointCounts counts = counters_.read();
    if (stall.cause.empty()) stall.cause = counters_.collection_cause();
    if (counts.requested != number) return;
    if (counts.stopped_ns != stopped_before_ns) {
      stall.stopped_ns = static_cast<int64_t>(counts.stopped_ns - stopped_before_ns);
      return;
    }
    if (!pause_.wait_for(pause)) return;
  }
}

// True: it is over. False: the recording ends before.
bool StallFinder::watch(LateThreads& late, const std::function<bool()>& over, const std::function<bool()>& still) {
  const int64_t began = base::now_ticks();
  int64_t last = began;
  for (;;) {
    const bool ended = over();
    const int64_t now = base::now_ticks();
    last_gap_ns_ = now - last;
    last = now;
    late.look(still, ended ? LateThreads::Ask::kNoMore : LateThreads::Ask::kWhenDue);
    if (ended) return true;
    if (!pause_.wait_for(std::clamp((now - began) / kLookShare, kLookNs, kLongestLookNs))) return false;
  }
}

void StallFinder::finish(TimeToSafepoint& stall, LateThreads& late, int64_t reached_ticks) {
  stall.threads = late.threads();
  stall.late = late.late();
  stall.listed = static_cast<int32_t>(late.listed().size());
  stall.looks = late.looks();
  stall.running_at_last = stall.reached ? 0 : late.running();
  if (stall.late == 0 && stall.remark.empty())
    stall.remark =
        "no thread of Java was running: the JVM itself was late, or a thread that the recorder does not know";
  if (stall.late > stall.listed)
    stall.remark += (stall.remark.empty() ? "" : "; ") + std::to_string(stall.late - stall.listed) +
                    " more late threads are counted only";
  late.finish(stall.start_ticks, stall.start_error_ns, reached_ticks, stall.reached);
  if (stall.reached && stall.duration_ns < settings_.threshold_ns) return;
  finish_with(stall, late.listed());
  if (!late.commit()) Engine::losses().note(Note::kEventsRefused);
}

void StallFinder::finish_with(TimeToSafepoint& stall, const std::vector<LateThread>& late) {
  if (vm_begin_ticks_ != INT64_MAX) stall.uptime_ns = stall.start_ticks - vm_begin_ticks_;
  if (log_) log_->write(stall, late);
  commit(stall);
}

void StallFinder::commit(const TimeToSafepoint& stall) {
  const EpochPin pin;
  if (!pin) return;
  Ref<ThreadFact> vm_thread;
  if (vm_thread_ != 0) {
    constexpr char kName[] = "VM Thread";
    ThreadShape shape;
    shape.id = static_cast<ThreadId>(kNativeThread | static_cast<uint64_t>(vm_thread_));
    shape.os_thread_id = vm_thread_;
    shape.os_name = {kName, sizeof kName - 1};
    vm_thread = pin->copy_thread(shape);
  }
  if (!rec::commit(*pin, stall, vm_thread)) Engine::losses().note(Note::kEventsRefused);
}

}  // namespace rec::agent
