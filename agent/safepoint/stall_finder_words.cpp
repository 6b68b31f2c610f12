// SPDX-License-Identifier: Apache-2.0
// Who is asked to stop, by the threads' poll words and queues of handshakes; and safepoints without counters. What is
// done with handshakes: stall_finder_handshakes.cpp.
//
// A thread takes its own word back when it next looks at it, not when the safepoint is over
// (SafepointMechanism::update_poll_values): who sleeps, or works in the VM, may keep an old one for long. In Java it
// cannot: who enters looks. So only a word of a thread in Java is believed; and a word that is not set, of any thread,
// proves that not all were asked. The queue of handshakes knows better: what is in it is not done.
#include <algorithm>
#include <array>

#include "agent/safepoint/likely_start.h"
#include "agent/safepoint/stall_finder.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

bool StallFinder::still_asked(const Suspect& suspect) const {
  const ThreadRecord& record = *suspect.record;
  // acquire: pairs with the releases in ThreadRegistry::add() and remove(): the JavaThread is that of the suspect.
  if (record.os_id.load(std::memory_order_acquire) != suspect.os_id) return false;
  return by_queue() ? words_.has_to_do(record.java_thread, suspect.handshake) : words_.asked(record.java_thread);
}

// Who is done is no suspect any more. The last one to do a handshake that took long, and that nobody watched, as while
// another one was watched, tells of it.
void StallFinder::drop_done(int64_t now) {
  if (by_queue()) words_.learn_more();
  const auto rest = std::ranges::stable_partition(suspects_, [&](const Suspect& each) { return still_asked(each); });
  std::vector<Suspect> done(rest.begin(), rest.end());
  suspects_.erase(rest.begin(), rest.end());
  for (Suspect& each : suspects_) {
    each.there_ticks = now;
    if (words_.tardy(each.record->java_thread)) each.ran_ticks = now;
  }
  if (by_queue() && dropped_at_ != 0 && now - dropped_at_ >= std::max(settings_.threshold_ns, 2 * settings_.poll_ns))
    Engine::losses().note(Note::kHandshakeGaps);
  std::ranges::stable_sort(done, {}, &Suspect::ran_ticks);
  for (auto last = done.rbegin(); by_queue() && last != done.rend(); ++last) {
    const auto is_of_it = [&](const Suspect& each) { return each.handshake.is_of_same(last->handshake); };
    if (std::none_of(done.rbegin(), last, is_of_it) && std::ranges::none_of(suspects_, is_of_it))
      write_unwatched(*last, now, true);
  }
  dropped_at_ = now;
  look_at_all_handshake(now);
}

// What somebody waits for this thread to do.
void StallFinder::note_queue(ThreadRecord& record, int64_t from, int64_t now) {
  std::array<ThreadWords::Handshake, ThreadWords::kMaxQueued> queued;
  const size_t all = words_.handshakes(record.java_thread, queued);
  for (size_t i = 0; i < all; ++i) note_suspect(record, queued[i], from, now);
  if (all == queued.size() && words_.is_full(record.java_thread)) Engine::losses().note(Note::kHandshakesUnseen);
}

void StallFinder::look_at_busy(int64_t now) {
  busy_.look(now, [&](ThreadRecord& record, int64_t before) {
    note_queue(record, before, now);
    return words_.tardy(record.java_thread);
  });
}

// Those that work, and some of the others in turn, so that thousands cost no more than hundreds; what lasts longer than
// the round takes is found.
void StallFinder::sweep(int64_t now, uint32_t count) {
  if (sweep_at_ == 0) {
    sweep_before_ = sweep_began_ != 0 ? sweep_began_ : now;
    sweep_began_ = now;
  }
  if (by_queue()) look_at_busy(now);
  sweep_at_ = threads_.try_some(sweep_at_, count, [&](ThreadRecord& record) {
    if (!by_queue()) {
      if (words_.asked(record.java_thread)) note_suspect(record, {}, sweep_before_, now);
      return;
    }
    note_queue(record, sweep_before_, now);
    if (words_.tardy(record.java_thread)) busy_.note(record, now);
  });
}

// Where it is known when it was asked for, nothing else is asked; it may have become known only now.
void StallFinder::know_start(Suspect& suspect, int64_t now) {
  if (suspect.handshake.start == 0)
    return words_.learn(suspect.record->java_thread, suspect.handshake, suspect.from_ticks, now);
  suspect.from_ticks = suspect.seen_ticks = suspect.handshake.start;
}

// Whoever does the same one was asked at the same time.
void StallFinder::note_suspect(ThreadRecord& record, ThreadWords::Handshake handshake, int64_t from, int64_t now) {
  if (handshake.start > now || handshake.start < now - kLongestHandshakeNs) handshake.start = 0;
  if (watched_ && watched_->is_of_same(handshake)) return;
  Suspect found{&record, record.os_id.load(std::memory_order_relaxed), from, now, now, handshake, "", 0};
  if (words_.tardy(record.java_thread)) found.ran_ticks = now;
  for (Suspect& each : suspects_) {
    if (each.record == &record && each.handshake.is_same(handshake)) {
      if (each.handshake.start == 0 && handshake.start != 0 && handshake.start <= each.seen_ticks)
        each.handshake.start = handshake.start, know_start(each, now);
      return;
    }
    if (handshake.operation == 0 || !each.handshake.is_of_same(handshake)) continue;
    found.from_ticks = each.from_ticks, found.seen_ticks = each.seen_ticks, found.operation = each.operation;
  }
  if (by_queue()) know_start(found, now);
  if (found.operation.empty()) found.operation = words_.handshake_name(handshake.operation);
  if (suspects_.size() == kMaxSuspects) return note_one_of_many(found);
  suspects_.push_back(std::move(found));
}

// Of a handshake of hundreds those count that run. Of one more handshake nothing is known.
void StallFinder::note_one_of_many(Suspect& found) {
  const auto is_of_it = [&](const Suspect& each) { return each.handshake.is_of_same(found.handshake); };
  const auto idle =
      std::ranges::find_if(suspects_, [&](const Suspect& each) { return is_of_it(each) && each.ran_ticks == 0; });
  if (found.ran_ticks != 0 && idle != suspects_.end())
    *idle = std::move(found);
  else if (std::ranges::none_of(suspects_, is_of_it))
    Engine::losses().note(Note::kHandshakesUnseen);
}

// All, after a safepoint. By its end every poll word was taken back; a handshake may be older, and who was not looked at
// in this round was in the one before.
void StallFinder::sweep_all(int64_t reached_ticks) {
  if (!by_queue())
    sweep_began_ = reached_ticks;
  else if (sweep_at_ != 0)
    sweep_began_ = sweep_before_;
  sweep_at_ = 0;
  sweep(base::now_ticks(), UINT32_MAX);
}

// While one handshake is watched, too: who is asked meanwhile is known from then on, and when he is done.
void StallFinder::refresh_suspects(int64_t now) {
  if (!by_queue() || now - dropped_at_ < kSuspectLookNs) return;
  if (now - sweep_began_ < settings_.poll_ns)
    look_at_busy(now);
  else
    sweep(now, kSweep);
  drop_done(base::now_ticks());
}

// New ones first: they tell when those were over that the same thread asked for before.
void StallFinder::look_at_poll_words() {
  const int64_t now = base::now_ticks();
  if (!counted()) look_at_critical(now);
  if (!by_queue()) drop_done(now);
  sweep(now, counted() ? kSweep : kSweepAlone);
  if (by_queue()) drop_done(base::now_ticks());
  const auto due =
      std::ranges::find_if(suspects_, [&](const Suspect& each) { return now - each.from_ticks >= first_wait_ns(); });
  if (due == suspects_.end()) return;
  const Suspect suspect = *due;
  if (counted() || !all_are_armed())
    watch_handshake(suspect);
  else
    watch_all(suspect);
}

bool StallFinder::all_are_armed() {
  bool all = true;
  threads_.for_each([&](ThreadRecord& record) { all = all && words_.armed(record.java_thread); });
  return all;
}

// Without counters: a safepoint, or a handshake of all threads.
void StallFinder::watch_all(const Suspect& suspect) {
  LateThreads late(tools(), LateThreads::Running::kArmed, ++own_ids_, suspect.likely_start());
  suspects_.clear();
  late.list();
  if (late.late() == 0) return;
  TimeToSafepoint stall;
  stall.id = own_ids_;
  stall.source = "poll words";
  stall.remark =
      "the JVM keeps no counters: it may have been a handshake of all threads, and threads in the VM are not seen";
  watch_words(stall, late, suspect, [&] { return late.all_gave_way(); });
}

void StallFinder::watch_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect,
                              const std::function<bool()>& done) {
  bool overtaken = false;
  const auto over = [&] {
    overtaken = !by_queue() && counted() && read_counts().requested != track_.seen().requested;
    return overtaken || done();
  };
  late.look([] { return true; }, LateThreads::Ask::kWhenDue);
  if (!stall.handshake) {
    const std::string operation = operation_.current();  // read before it may be over
    if (!over()) stall.operation = operation;
  }
  stall.reached = watch(late, over, [] { return true; });
  if (overtaken) stall.remark = "a safepoint was asked for meanwhile";
  if (!stall.reached) stall.remark = "the recording ended before it was done";
  finish_words(stall, late, suspect, base::now_ticks());
}

void StallFinder::finish_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect, int64_t done_ticks) {
  const int64_t unlooked = done_ticks - last_gap_ns_;
  done_ticks = std::max(done_before(suspect, done_ticks), std::min(unlooked, done_ticks));
  last_gap_ns_ = std::max<int64_t>(done_ticks - unlooked, 0);
  const LikelyStart start = likely_start(suspect.from_ticks, suspect.seen_ticks, done_ticks);
  stall.start_ticks = start.ticks;
  stall.start_error_ns = start.error_ns;
  stall.duration_ns = done_ticks - start.ticks;
  stall.duration_error_ns = stall.start_error_ns + last_gap_ns_;
  const bool may_be_long = stall.duration_ns + stall.start_error_ns >= settings_.threshold_ns;
  if (stall.handshake && stall.duration_ns < settings_.threshold_ns && may_be_long)
    Engine::losses().note(Note::kHandshakesUnseen);
  if (stall.handshake && stall.duration_ns >= settings_.threshold_ns) all_.note_told(suspect.handshake.operation);
  finish(stall, late, done_ticks);
}

}  // namespace rec::agent
