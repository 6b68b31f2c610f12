// SPDX-License-Identifier: Apache-2.0
// Handshakes, by the queues that they wait in. One is watched at a time; safepoints go on being followed meanwhile, and
// other handshakes that are over before they are watched are told with what is known of them.
#include <algorithm>
#include <array>

#include "agent/safepoint/likely_start.h"
#include "agent/safepoint/stall_finder.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

// A thread asks for the next one when it knows that the one before is done: both are at the same address.
int64_t StallFinder::done_before(const Suspect& suspect, int64_t now) const {
  int64_t first = now;
  for (const Suspect& each : suspects_)
    if (each.handshake.operation == suspect.handshake.operation && each.handshake.both_start(suspect.handshake) &&
        each.handshake.start > suspect.handshake.start)
      first = std::min(first, each.handshake.start);
  return first;
}

std::vector<StallFinder::Suspect> StallFinder::all_who_do(const Suspect& suspect) {
  if (!by_queue()) return {suspect};
  std::vector<Suspect> all;
  threads_.for_each([&](ThreadRecord& record) {
    std::array<ThreadWords::Handshake, ThreadWords::kMaxQueued> queued;
    const size_t count = words_.handshakes(record.java_thread, queued);
    for (size_t i = 0; i < count; ++i) {
      if (!queued[i].is_of_same(suspect.handshake)) continue;
      Suspect& each = all.emplace_back(suspect);
      each.record = &record, each.os_id = record.os_id.load(std::memory_order_relaxed);
      each.handshake = queued[i];
      const auto known = std::ranges::find_if(suspects_, [&](const Suspect& other) {
        return other.record == &record && other.handshake.is_same(each.handshake);
      });
      each.ran_ticks = known == suspects_.end() ? 0 : known->ran_ticks;
      if (words_.tardy(record.java_thread)) each.ran_ticks = base::now_ticks();
    }
  });
  return all;
}

// One that several threads have to do is one handshake, and over when the last has done it. It may last beyond a
// safepoint: who gives way to that does it afterwards.
void StallFinder::watch_handshake(const Suspect& suspect) {
  using Running = LateThreads::Running;
  const int64_t id = -++own_ids_;
  LateThreads late(tools(), by_queue() ? Running::kQueued : Running::kArmed, id, suspect.likely_start());
  std::vector<Suspect> waiting = all_who_do(suspect);
  const auto is_done = [&](const Suspect& each) { return !still_asked(each); };
  threads_.exclusively([&] {
    std::erase_if(waiting, is_done);
    for (const Suspect& each : waiting)
      if (each.ran_ticks != 0) late.add(*each.record, words_.state(each.record->java_thread), each.handshake);
  });
  const auto is_of_it = [&](const Suspect& each) {
    return by_queue() ? each.handshake.is_of_same(suspect.handshake) : each.record == suspect.record;
  };
  Suspect last = suspect;  // of those that had it to do: who was seen to run last
  for (const Suspect& each : suspects_)
    if (is_of_it(each) && each.ran_ticks > last.ran_ticks) last = each;
  std::erase_if(suspects_, is_of_it);
  if (waiting.empty()) return by_queue() ? write_unwatched(last, base::now_ticks(), true) : void();
  watched_ = suspect.handshake;
  delay_.begin(id);
  TimeToSafepoint stall;
  stall.id = id;
  stall.handshake = true;
  stall.operation = suspect.operation;
  stall.source = by_queue() ? "handshake queue" : "poll words";
  watch_words(stall, late, suspect, [&] {
    if (by_queue() && safepoint_goes_on()) look_at_safepoints(base::now_ticks());
    std::erase_if(waiting, is_done);
    return waiting.empty();
  });
  watched_.reset();
}

// Of one that nobody watched it is known when it was asked for, or seen first, and when it was no more, and who ran last.
// Where nobody knows when it was asked for it counts only if somebody ran for a while: of threads that are safe who asks
// does it, and for the next one all is where it was before.
void StallFinder::write_unwatched(const Suspect& suspect, int64_t now, bool over) {
  const int64_t done_ticks = done_before(suspect, now);
  // Where nobody looked for a while it may have been done long ago.
  const bool is_known = !over || done_ticks < now;
  const int64_t likely_ticks = is_known ? done_ticks : suspect.there_ticks + (now - suspect.there_ticks) / 2;
  if (likely_ticks - likely_start(suspect.from_ticks, suspect.seen_ticks, done_ticks).ticks < settings_.threshold_ns ||
      (suspect.handshake.start == 0 && suspect.ran_ticks - suspect.seen_ticks < settings_.threshold_ns / 2)) {
    if (done_ticks - suspect.from_ticks >= settings_.threshold_ns) Engine::losses().note(Note::kHandshakesUnseen);
    return;
  }
  const int64_t id = -++own_ids_;
  LateThreads late(tools(), LateThreads::Running::kQueued, id, suspect.likely_start());
  ThreadRecord& record = *suspect.record;
  threads_.exclusively([&] {
    if (suspect.ran_ticks != 0 && record.os_id.load(std::memory_order_relaxed) == suspect.os_id)
      late.add(record, words_.state(record.java_thread), suspect.handshake, suspect.ran_ticks);
  });
  TimeToSafepoint stall;
  stall.id = id;
  stall.handshake = true;
  stall.operation = suspect.operation;
  stall.source = "handshake queue";
  stall.reached = over;
  stall.remark = over ? "it was over before it was watched" : "the recording ended before it was done";
  if (suspect.ran_ticks == 0) stall.remark += ", and nobody was seen to run meanwhile";
  late.look([] { return true; }, LateThreads::Ask::kNoMore);
  last_gap_ns_ = now - suspect.there_ticks;
  finish_words(stall, late, suspect, now);
}

// Behind what the threads' queues tell: one that they told of is told.
void StallFinder::look_at_all_handshake(int64_t now) {
  if (!by_queue() || !operation_.known()) return;
  const auto over = all_.look(operation_.handshake_of_all(), words_.start_of_all(), now);
  const bool is_watched = over && watched_ && watched_->operation == over->operation;
  if (over && !over->told && !is_watched) write_all(*over, now);
  if (AllHandshake::One* const one = all_.current(); one && one->name.empty())
    one->name = words_.handshake_name(one->operation);
}

void StallFinder::write_all(const AllHandshake::One& one, int64_t now) {
  const int64_t from = one.start != 0 ? one.start : one.from_ticks;
  if (one.start == 0 || one.there_ticks - from < settings_.threshold_ns) {
    if (now - from >= settings_.threshold_ns) Engine::losses().note(Note::kHandshakesUnseen);
    return;
  }
  TimeToSafepoint stall;
  stall.id = -++own_ids_;
  stall.handshake = true;
  stall.operation = one.name;
  stall.source = "the VM's words";
  stall.remark = "the VM's own thread went on late, or a thread was late that the recorder does not know";
  stall.late = 0;
  stall.start_ticks = one.start;
  stall.duration_ns = one.there_ticks + (now - one.there_ticks) / 2 - one.start;
  stall.duration_error_ns = (now - one.there_ticks) / 2;
  write(stall, {});
}

// What is late and goes on when the recording ends: each handshake, once, and a stop.
void StallFinder::tell_open() {
  const int64_t now = base::now_ticks();
  for (auto each = suspects_.begin(); by_queue() && each != suspects_.end(); ++each) {
    const auto is_of_it = [&](const Suspect& other) { return other.handshake.is_of_same(each->handshake); };
    if (std::none_of(suspects_.begin(), each, is_of_it)) write_unwatched(*each, now, false);
  }
  const SafepointLook look = words_of_vm_.look(counters_);
  if (look.phase == SafepointPhase::kStanding && now - look.parts.asked >= settings_.threshold_ns)
    Engine::losses().note(Note::kSafepointsUnseen);
}

}  // namespace rec::agent
