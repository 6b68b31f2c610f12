// SPDX-License-Identifier: Apache-2.0
// Handshakes, and safepoints without counters: by the threads' poll words.
//
// A thread takes its own word back when it next looks at it, not when the safepoint is over
// (SafepointMechanism::update_poll_values): who sleeps, or works in the VM, may keep an old one for long. In Java it
// cannot: who enters looks. So only a word of a thread in Java is believed; and a word that is not set, of any thread,
// proves that not all were asked.
#include <algorithm>

#include "agent/safepoint/stall_finder.h"
#include "base/clock.h"

namespace rec::agent {

bool StallFinder::still_asked(const Suspect& suspect) const {
  const ThreadRecord& record = *suspect.record;
  // acquire: pairs with the releases in ThreadRegistry::add() and remove(): the JavaThread is that of the suspect.
  return record.os_id.load(std::memory_order_acquire) == suspect.os_id && words_.asked(record.java_thread);
}

// A few threads at each look, so that thousands cost no more than ten; what lasts longer than the round takes is found.
void StallFinder::look_at_poll_words() {
  const int64_t now = base::now_ticks();
  std::erase_if(suspects_, [&](const Suspect& each) { return !still_asked(each); });
  if (sweep_at_ == 0) {
    sweep_before_ = sweep_began_ != 0 ? sweep_began_ : now;
    sweep_began_ = now;
  }
  const uint32_t count = counters_.present() ? kSweep : kSweepAlone;
  sweep_at_ = threads_.try_some(sweep_at_, count, [&](ThreadRecord& record) {
    if (suspects_.size() == kMaxSuspects || !words_.asked(record.java_thread)) return;
    if (std::ranges::any_of(suspects_, [&](const Suspect& each) { return each.record == &record; })) return;
    suspects_.push_back({&record, record.os_id.load(std::memory_order_relaxed), sweep_before_, now});
  });
  const auto due =
      std::ranges::find_if(suspects_, [&](const Suspect& each) { return now - each.seen_ticks >= first_wait_ns(); });
  if (due == suspects_.end()) return;
  const Suspect suspect = *due;
  suspects_.erase(due);
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

void StallFinder::watch_handshake(const Suspect& suspect) {
  LateThreads late(tools(), LateThreads::Running::kArmed, -++own_ids_, suspect.seen_ticks);
  threads_.exclusively([&] {
    if (still_asked(suspect)) late.add(*suspect.record, words_.state(suspect.record->java_thread));
  });
  if (late.listed().empty()) return;
  TimeToSafepoint stall;
  stall.id = -own_ids_;
  stall.handshake = true;
  watch_words(stall, late, suspect);
}

// Without counters: a safepoint, or a handshake of all threads.
void StallFinder::watch_all(const Suspect& suspect) {
  LateThreads late(tools(), LateThreads::Running::kArmed, ++own_ids_, suspect.seen_ticks);
  late.list();
  if (late.late() == 0) return;
  suspects_.clear();
  TimeToSafepoint stall;
  stall.id = own_ids_;
  stall.remark =
      "the JVM keeps no counters: it may have been a handshake of all threads, and threads in the VM are not seen";
  watch_words(stall, late, suspect);
}

void StallFinder::watch_words(TimeToSafepoint& stall, LateThreads& late, const Suspect& suspect) {
  bool overtaken = false;
  const auto over = [&] {
    overtaken = counters_.present() && counters_.read().requested != seen_.requested;
    return overtaken || late.all_gave_way();
  };
  stall.source = "poll words";
  late.look([] { return true; }, LateThreads::Ask::kWhenDue);
  if (!stall.handshake && !over()) stall.operation = operation_.current();
  stall.reached = watch(late, over, [] { return true; });
  const int64_t reached_ticks = base::now_ticks();
  if (overtaken) stall.remark = "a safepoint was asked for meanwhile";
  if (!stall.reached) stall.remark = "the recording ended before it was done";
  stall.start_ticks = suspect.seen_ticks;
  stall.start_error_ns = suspect.seen_ticks - suspect.from_ticks;
  stall.duration_ns = reached_ticks - suspect.seen_ticks;
  stall.duration_error_ns = stall.start_error_ns + last_gap_ns_;
  finish(stall, late, reached_ticks);
}

}  // namespace rec::agent
