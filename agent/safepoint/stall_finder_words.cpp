// SPDX-License-Identifier: Apache-2.0
// Handshakes, and safepoints without counters: by the threads' poll words.
//
// A thread takes its own word back when it next looks at it, not when the safepoint is over
// (SafepointMechanism::update_poll_values): who sleeps, or works in the VM, may keep an old one for long. In Java it
// cannot: who enters looks. So only a word of a thread in Java is believed; and a word that is not set, of any thread,
// proves that not all were asked. The queue of handshakes knows better: what is in it is not done.
#include <algorithm>

#include "agent/safepoint/stall_finder.h"
#include "base/clock.h"

namespace rec::agent {

// By the queue of handshakes, where it is known; a safepoint is not in it.
bool StallFinder::is_asked(uint64_t java_thread, uint64_t& handshake) const {
  handshake = 0;
  if (!by_queue()) return words_.asked(java_thread);
  handshake = words_.handshake(java_thread);
  return handshake != 0 && words_.tardy(java_thread);
}

bool StallFinder::still_asked(const Suspect& suspect) const {
  const ThreadRecord& record = *suspect.record;
  uint64_t handshake = 0;
  // acquire: pairs with the releases in ThreadRegistry::add() and remove(): the JavaThread is that of the suspect.
  return record.os_id.load(std::memory_order_acquire) == suspect.os_id && is_asked(record.java_thread, handshake) &&
         handshake == suspect.handshake;
}

// Some threads at each look, so that thousands cost no more than hundreds; what lasts longer than the round takes is
// found.
void StallFinder::sweep(int64_t now, uint32_t count) {
  if (sweep_at_ == 0) {
    sweep_before_ = sweep_began_ != 0 ? sweep_began_ : now;
    sweep_began_ = now;
  }
  sweep_at_ = threads_.try_some(sweep_at_, count, [&](ThreadRecord& record) {
    uint64_t handshake = 0;
    if (suspects_.size() == kMaxSuspects || !is_asked(record.java_thread, handshake)) return;
    if (std::ranges::any_of(suspects_, [&](const Suspect& each) { return each.record == &record; })) return;
    suspects_.push_back({&record, record.os_id.load(std::memory_order_relaxed), sweep_before_, now, handshake,
                         words_.handshake_name(handshake)});
  });
}

// All, after a safepoint, in which nobody was looked at. Who gives way to one does his handshakes, too: what is in a queue
// now came later.
void StallFinder::sweep_all(int64_t reached_ticks) {
  sweep_at_ = 0;
  sweep_began_ = reached_ticks;
  sweep(base::now_ticks(), UINT32_MAX);
}

// While one handshake is watched, too: who is asked meanwhile is known from then on.
void StallFinder::refresh_suspects(int64_t now) {
  if (!by_queue() || now - sweep_began_ < settings_.poll_ns) return;
  std::erase_if(suspects_, [&](const Suspect& each) { return !still_asked(each); });
  sweep(now, kSweep);
}

void StallFinder::look_at_poll_words() {
  const int64_t now = base::now_ticks();
  std::erase_if(suspects_, [&](const Suspect& each) { return !still_asked(each); });
  sweep(now, counters_.present() ? kSweep : kSweepAlone);
  const auto due =
      std::ranges::find_if(suspects_, [&](const Suspect& each) { return now - each.from_ticks >= first_wait_ns(); });
  if (due == suspects_.end()) return;
  const Suspect suspect = *due;
  if (counters_.present() || !all_are_armed())
    watch_handshake(suspect);
  else
    watch_all(suspect);
}

bool StallFinder::all_are_armed() {
  bool all = true;
  threads_.for_each([&](ThreadRecord& record) { all = all && words_.armed(record.java_thread); });
  return all;
}

// One that several threads have to do is one handshake.
void StallFinder::watch_handshake(const Suspect& suspect) {
  using Running = LateThreads::Running;
  LateThreads late(tools(), by_queue() ? Running::kQueued : Running::kArmed, -++own_ids_, suspect.likely_start());
  const auto is_of_it = [&](const Suspect& each) {
    return each.record == suspect.record || (suspect.handshake != 0 && each.handshake == suspect.handshake);
  };
  threads_.exclusively([&] {
    for (const Suspect& each : suspects_)
      if (is_of_it(each) && still_asked(each))
        late.add(*each.record, words_.state(each.record->java_thread), each.handshake);
  });
  std::erase_if(suspects_, is_of_it);
  if (late.listed().empty()) return;
  TimeToSafepoint stall;
  stall.id = -own_ids_;
  stall.handshake = true;
  stall.operation = suspect.operation;
  stall.source = by_queue() ? "handshake queue" : "poll words";
  watch_words(stall, late, suspect);
  std::erase_if(suspects_, is_of_it);  // what has the same address now is another one
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
  watch_words(stall, late, suspect);
}

void StallFinder::watch_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect) {
  bool overtaken = false;
  const auto over = [&] {
    overtaken = counters_.present() && counters_.read().requested != track_.seen().requested;
    return overtaken || late.all_gave_way();
  };
  late.look([] { return true; }, LateThreads::Ask::kWhenDue);
  if (!stall.handshake) {
    const std::string operation = operation_.current();  // read before it may be over
    if (!over()) stall.operation = operation;
  }
  stall.reached = watch(late, over, [] { return true; });
  const int64_t reached_ticks = base::now_ticks();
  if (overtaken) stall.remark = "a safepoint was asked for meanwhile";
  if (!stall.reached) stall.remark = "the recording ended before it was done";
  stall.start_ticks = suspect.likely_start();
  stall.start_error_ns = suspect.seen_ticks - suspect.likely_start();
  stall.duration_ns = reached_ticks - suspect.likely_start();
  stall.duration_error_ns = stall.start_error_ns + last_gap_ns_;
  finish(stall, late, reached_ticks);
}

}  // namespace rec::agent
