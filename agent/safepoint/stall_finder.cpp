// SPDX-License-Identifier: Apache-2.0
// The watcher's start and end, and safepoints by the JVM's counters. Poll words: stall_finder_words.cpp;
// handshakes: stall_finder_handshakes.cpp.
#include "agent/safepoint/stall_finder.h"

#include <algorithm>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/options/log.h"
#include "agent/process/os_state.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr size_t kCalibrationThreads = 8;
constexpr int64_t kEndLookNs = 200'000;
constexpr int kSettleTries = 5000;  // a fifth of a second

using Phase = SafepointPhase;

std::string nobody_late(int32_t ran) {
  if (ran > 0)
    return "threads that ran when it was asked for: " + std::to_string(ran) +
           "; all had given way before they were listed, or long before it was reached";
  return "no thread of Java was running: the JVM itself was late, or a thread that the recorder does not know";
}

std::string several(int64_t count) {
  return std::to_string(count) + " safepoints followed each other at once: this is their mean";
}

}  // namespace

StallFinder::StallFinder(const VmCode& vm, ThreadRegistry& threads, StackRequests& requests,
                         const SafepointSettings& settings, const std::vector<uint32_t>& critical_slots,
                         Housekeeper::Pause& pause)
    : vm_(vm),
      threads_(threads),
      requests_(requests),
      settings_(settings),
      critical_slots_(critical_slots),
      pause_(pause),
      frozen_(vm, settings.stack_depth, requests.native_frames()),
      reports_(settings.log) {}

bool StallFinder::open() {
  std::vector<uint64_t> some;
  threads_.for_each([&](ThreadRecord& record) {
    if (some.size() < kCalibrationThreads) some.push_back(record.java_thread);
  });
  counters_.open();
  const SafepointCounts first = counters_.present() ? counters_.read() : SafepointCounts{};
  const int64_t began = base::now_ticks();
  words_.open(vm_.layout, some);
  words_of_vm_.open(library_);
  reports_.note_begin(words_of_vm_.vm_begin_ticks());
  if (!counted() && !words_.has_poll_word()) {
    say(LogLevel::kWarn,
        "safepoints are not watched: this VM keeps no counters of them, and its threads no known poll words");
    return false;
  }
  if (counted()) {
    SafepointLook look = words_of_vm_.look(counters_);
    if (counters_.present() && look.counts != first)
      look = {.counts = first};  // symbols take a while: what was asked for meanwhile is news
    track_.begin(look, began);
  }
  operation_.open();
  critical_.open(library_, critical_slots_);
  const bool has_symbols = words_of_vm_.present() || operation_.known();
  say(LogLevel::kInfo, std::string("safepoints are watched by ") + source() +
                           (words_.has_queue()       ? ", handshakes by their queue"
                            : words_.has_poll_word() ? ", handshakes by poll words"
                                                     : ", handshakes not: no poll word is known") +
                           (has_symbols ? "" : "; operations are not known: libjvm.so has no symbols"));
  if (!counted())
    say(LogLevel::kWarn,
        "stops that are not late are not watched, and lengths are no better than looks: -XX:-UsePerfData, and "
        "libjvm.so "
        "has no symbols");
  return true;
}

void StallFinder::run() {
  if (!open()) return;
  while (pause_.wait_for(pause_ns()))
    if (counted())
      look_at_counters();
    else
      look_at_poll_words();
  if (counted()) look_at_counters();  // what ended since, and what goes on
  tell_open();
  if (const auto stall = critical_.break_off(base::now_ticks())) write_critical(*stall, false);
}

int64_t StallFinder::pause_ns() const {
  const auto& request = track_.request();
  if (goes_on_) return std::min(settings_.poll_ns, kLongestLookNs);  // the next one overwrites what it was
  const bool suspicious = !suspects_.empty() || critical_.busy();
  if (!request || request->doubted) return suspicious ? std::min(settings_.poll_ns, kSuspectLookNs) : settings_.poll_ns;
  const int64_t due = request->seen_ticks + list_wait_ns() - base::now_ticks();
  return std::clamp<int64_t>(due, kLookNs, settings_.poll_ns);
}

void StallFinder::look_at_counters() {
  const int64_t now = base::now_ticks();
  reports_.note_uptime(counters_, now);
  const bool waits = look_at_safepoints(now);
  if (waits)
    refresh_suspects(now);
  else if (words_.has_poll_word() || words_.has_queue())
    look_at_poll_words();
}

bool StallFinder::look_at_safepoints(int64_t now) {
  const SafepointLook look = words_of_vm_.look(counters_);
  // They are stopped like all others, and no poll word tells for what.
  if (!by_queue() && look.counts.requested != track_.seen().requested) suspects_.clear();
  note_cause(look);
  goes_on_ = look.phase > Phase::kUnknown && look.phase != Phase::kNone;
  look_at_critical(now);
  const SafepointTrack::News news = track_.look(look, now);
  take(news, now);
  const bool waits = track_.request() && !track_.request()->doubted;
  waits ? delay_.begin(static_cast<int64_t>(track_.request()->number)) : delay_.note(now);
  if (waits && now - track_.request()->seen_ticks >= list_wait_ns()) watch_request();
  return waits;
}

bool StallFinder::safepoint_goes_on() {
  const auto& request = track_.request();
  return goes_on_ || (request && !request->doubted) || read_counts().requested != track_.seen().requested;
}

// It is told while it goes on, and not afterwards.
void StallFinder::note_cause(const SafepointLook& look) {
  if (look.phase != Phase::kStanding || (cause_of_ == look.counts.requested && !cause_.empty())) return;
  cause_of_ = look.counts.requested;
  cause_ = counters_.collection_cause();
}

void StallFinder::take(const SafepointTrack::News& news, int64_t now) {
  for (const SafepointTrack::Reached& each : news.reached) {
    if (each.first == told_open_) continue;
    if (each.length_ns / each.count >= settings_.threshold_ns)
      write_unwatched(each, now);
    else if (each.length_ns >= settings_.threshold_ns)
      Engine::losses().note(Note::kSafepointsUnseen, static_cast<uint64_t>(each.count));
  }
  if (news.unseen_ns >= settings_.threshold_ns) Engine::losses().note(Note::kSafepointsUnseen, news.stops_unseen);
  if (news.unsummed_ns >= settings_.threshold_ns) Engine::losses().note(Note::kSafepointsUnseen, news.unsummed);
  for (const SafepointTrack::Stop& stop : news.stops) {
    if (stop.parts.ended - stop.parts.asked < settings_.threshold_ns) continue;
    SafepointStop event;
    event.operation = words_of_vm_.operation(stop.type);
    if (cause_of_ == stop.number) event.cause = cause_;
    event.caller = thread_name(stop.caller);
    event.begin_is_written = stop.number == begin_written_;
    if (!reports_.write(stop, std::move(event))) Engine::losses().note(Note::kEventsRefused);
  }
}

// The system's name of a thread that is not Java's, which the JVM cuts off after 15 bytes.
std::string StallFinder::thread_name(uint64_t vm_thread) {
  std::string name;
  if (vm_thread == 0) return name;
  threads_.for_each([&](ThreadRecord& record) {
    if (record.java_thread == vm_thread) name.assign(record.name.data(), record.name_size);
  });
  const int32_t os_id = name.empty() ? os_thread_id(vm_.layout, vm_thread) : 0;
  return os_id == 0 ? name : os_thread_name(os_id);
}

void StallFinder::write_unwatched(const SafepointTrack::Reached& reached, int64_t now) {
  TimeToSafepoint stall;
  stall.id = static_cast<int64_t>(reached.first);
  stall.duration_ns = reached.length_ns / reached.count;
  stall.start_ticks =
      std::clamp(now - stall.duration_ns, reached.from_ticks, std::max(reached.seen_ticks, reached.from_ticks));
  stall.start_error_ns = reached.seen_ticks - reached.from_ticks;
  stall.source = source();
  stall.remark = reached.count == 1 ? "it was over before the threads were looked at" : several(reached.count);
  if (reached.type) stall.operation = words_of_vm_.operation(*reached.type);
  write(stall, {});
}

void StallFinder::watch_request() {
  const SafepointTrack::Request request = *track_.request();
  using Running = LateThreads::Running;
  LateThreads late(tools(), request.certain ? Running::kTardy : Running::kArmed, static_cast<int64_t>(request.number),
                   request.seen_ticks);
  if (request.certain || words_.has_poll_word()) late.list();
  const auto over = [&] { return !track_.waits(read_counts()); };
  if (over()) return;  // the next look settles it
  if (!request.certain && late.late() <= 0) return track_.doubt();

  TimeToSafepoint stall;
  stall.id = static_cast<int64_t>(request.number);
  stall.source = source();
  if (request.type) stall.operation = words_of_vm_.operation(*request.type);
  const uint64_t stopped_ns = read_counts().stopped_ns;
  const auto still = [&] {
    const SafepointCounts counts = read_counts();
    return counts.requested == request.number && counts.stopped_ns == stopped_ns;
  };
  late.look(still, LateThreads::Ask::kWhenDue);
  stall.reached = watch(late, over, still);
  const int64_t reached_ticks = base::now_ticks();
  int32_t ran = -1;
  SafepointTrack::News news;
  if (stall.reached) {
    const SafepointLook look = settled_look();
    const bool of_it = look.counts.requested == request.number && look.phase > Phase::kMoving;
    if (of_it) ran = look.running;
    news = track_.look(look, reached_ticks);
    if (news.reached.empty()) return take(news, reached_ticks);  // the next look tells how long it was
  }

  if (stall.reached) {
    set_times(stall, request, news.reached.front(), reached_ticks);
    news.reached.erase(news.reached.begin());
  } else {
    set_times_open(stall, request, not_over_at_);
  }
  const bool whole = stall.duration_error_ns == 0;
  if (whole) wait_for_end(request.number, stopped_ns, stall);
  finish(stall, late, reached_ticks, ran);
  take(news, reached_ticks);
  if (whole) look_again();
  sweep_all(reached_ticks);
}

void StallFinder::set_times(TimeToSafepoint& stall, const SafepointTrack::Request& request,
                            const SafepointTrack::Reached& reached, int64_t reached_ticks) const {
  stall.duration_ns = reached.length_ns;
  stall.duration_error_ns = reached.count == 1 ? 0 : std::min(last_gap_ns_, reached.length_ns);
  stall.start_ticks = std::clamp(reached_ticks - reached.length_ns, request.from_ticks, request.seen_ticks);
  stall.start_error_ns = std::min(last_gap_ns_, request.seen_ticks - request.from_ticks);
  if (reached.count > 1) stall.remark = "others followed at once: their times to safepoint are in its own";
}

// Of one that goes on when the recording ends.
void StallFinder::set_times_open(TimeToSafepoint& stall, const SafepointTrack::Request& request, int64_t now) {
  stall.start_ticks = request.seen_ticks;
  stall.start_error_ns = request.seen_ticks - request.from_ticks;
  stall.duration_ns = now - request.seen_ticks;
  stall.duration_error_ns = stall.start_error_ns + last_gap_ns_;
  stall.remark = "the recording ended before it was reached";
  told_open_ = request.number;
}

// At once: the next safepoint overwrites the parts of this one.
void StallFinder::look_again() {
  const int64_t now = base::now_ticks();
  take(track_.look(settled_look(), now), now);
}

// While threads are let go the words move.
SafepointLook StallFinder::settled_look() {
  SafepointLook look = words_of_vm_.look(counters_);
  for (int i = 0; i < kSettleTries && look.phase == Phase::kMoving; ++i) {
    pause_.wait_for(kLookNs);
    look = words_of_vm_.look(counters_);
  }
  return look;
}

// How long the threads stood still then, and why, if it was a collection. It may be over when it is seen to be reached.
// The next request ends it too, unsaid.
void StallFinder::wait_for_end(uint64_t number, uint64_t stopped_before_ns, TimeToSafepoint& stall) {
  for (int64_t pause = kEndLookNs;; pause = std::min({2 * pause, settings_.poll_ns, kLongestLookNs})) {
    const SafepointCounts counts = read_counts();
    if (stall.cause.empty()) stall.cause = counters_.collection_cause();
    if (counts.requested != number) return;
    cause_of_ = number, cause_ = stall.cause;
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
    refresh_suspects(now);
    look_at_critical(now);
    if (pause_.wait_for(std::clamp((now - began) / kLookShare, kLookNs, kLongestLookNs))) continue;
    not_over_at_ = base::now_ticks();
    last_gap_ns_ = not_over_at_ - last;
    return over();  // it may have been, since the last look
  }
}

void StallFinder::finish(TimeToSafepoint& stall, LateThreads& late, int64_t reached_ticks, int32_t ran) {
  late.finish(stall.start_ticks, stall.start_error_ns, reached_ticks, stall.reached);
  stall.threads = late.threads();
  stall.late = late.late();
  stall.listed = static_cast<int32_t>(late.listed().size());
  stall.looks = late.looks();
  stall.running_at_last = stall.reached ? 0 : late.running();
  delay_.end(stall);
  if (stall.late == 0 && stall.remark.empty()) stall.remark = nobody_late(ran);
  if (stall.late > stall.listed)
    stall.remark += (stall.remark.empty() ? "" : "; ") + std::to_string(stall.late - stall.listed) +
                    " more late threads are counted only";
  if (stall.reached && stall.duration_ns < settings_.threshold_ns) return;
  write(stall, late.listed());
  if (!late.commit()) Engine::losses().note(Note::kEventsRefused);
}

void StallFinder::write(TimeToSafepoint& stall, const std::vector<LateThread>& late) {
  if (!stall.handshake) begin_written_ = static_cast<uint64_t>(stall.id);
  if (!reports_.write(stall, late)) Engine::losses().note(Note::kEventsRefused);
}

}  // namespace rec::agent
