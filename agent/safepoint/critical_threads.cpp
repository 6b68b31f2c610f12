// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/critical_threads.h"

#include <sys/syscall.h>

#include <algorithm>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/safepoint/likely_start.h"
#include "agent/safepoint/settings.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int kStackTries = 16;
constexpr int64_t kScanNs = 5'000'000;  // between two looks at who waits, at least;
constexpr int64_t kScanShare = 8;       // they take 1/8 of the time at most,
constexpr int64_t kScanGrowth = 4;      // and come each time a quarter of the time is over that it lasts already

}  // namespace

CriticalThreads::CriticalThreads(const Tools& tools, CriticalWords::Held kind, int64_t from_ticks)
    : tools_(tools), kind_(kind), from_ticks_(from_ticks), scanned_ticks_(from_ticks) {}

void CriticalThreads::look(int64_t now) {
  if (inside_.empty() && now >= listed_ticks_ + kScanNs) list_inside(now);
  for (std::vector<Listed>* all : {&inside_, &waiting_})
    for (Listed& each : *all) follow(each, now);
  if (now < next_scan_ticks_) return;
  list_waiting(now);
  const int64_t took = base::now_ticks() - now;
  next_scan_ticks_ = now + std::max({kScanNs, kScanShare * took, (now - from_ticks_) / kScanGrowth});
}

void CriticalThreads::list_inside(int64_t now) {
  const int64_t before = listed_ticks_ == 0 ? from_ticks_ : listed_ticks_;
  if (first_list_ticks_ == 0) first_list_ticks_ = now;
  listed_ticks_ = now;
  tools_.threads.for_each([&](ThreadRecord& record) {
    if (!tools_.critical.inside(record.java_thread)) return;
    ++all_inside_;
    if (inside_.size() == kMaxListed) return;
    Listed& thread = inside_.emplace_back();
    static_cast<ListedThread&>(thread) = ListedThread(tools_.vm.layout, record);
    thread.event.inside = true;
    thread.event.jvm_state = tools_.words.state_name(tools_.words.state(record.java_thread));
    thread.before_ticks = before;
    thread.seen_ticks = thread.last_ticks = now;
  });
  if (kind_ == CriticalWords::Held::kAsks && all_waiting_.empty()) list_owner(now);
}

// Who asked for the collection holds the lock, and waits for those inside.
void CriticalThreads::list_owner(int64_t now) {
  std::optional<ListedThread> owner;
  tools_.critical.owner([&](uint64_t word) {
    if (word == 0) return false;
    tools_.threads.for_each([&](ThreadRecord& record) {
      if (record.java_thread == word) owner = ListedThread(tools_.vm.layout, record);
    });
    return owner.has_value();
  });
  if (owner) add_waiting(*owner, now);
}

// Blocked threads, by the address that they sleep on. The registry is not locked while files are read.
void CriticalThreads::list_waiting(int64_t now) {
  std::vector<ListedThread> blocked;
  tools_.threads.for_each([&](ThreadRecord& record) {
    const Layout& layout = tools_.vm.layout;
    if (vm_state(layout, state_word(layout, record.java_thread)) == VmState::kBlocked)
      blocked.emplace_back(layout, record);
  });
  for (const ListedThread& thread : blocked) {
    OsState os;
    read_system_call(tasks_, thread.os_id, os);
    knows_waits_ = knows_waits_ || os.system_call >= 0;
    if (os.system_call == SYS_futex && tools_.critical.waits_on(os.argument, kind_)) add_waiting(thread, now);
  }
  scanned_ticks_ = now;
}

void CriticalThreads::add_waiting(const ListedThread& thread, int64_t now) {
  if (!all_waiting_.insert(thread.os_id).second || waiting_.size() == kMaxListed) return;
  Listed& added = waiting_.emplace_back();
  static_cast<ListedThread&>(added) = thread;
  added.event.jvm_state = tools_.words.state_name(tools_.words.state(thread.java_thread));
  added.before_ticks = scanned_ticks_;
  added.seen_ticks = added.last_ticks = now;
  read_stack(added);
}

bool CriticalThreads::somebody_inside() const {
  return std::ranges::any_of(inside_, [](const Listed& each) { return each.done_ticks == 0; });
}

bool CriticalThreads::nobody_was_inside(int64_t before_ticks) const {
  return first_list_ticks_ != 0 && first_list_ticks_ < before_ticks && inside_.empty();
}

bool CriticalThreads::still(const Listed& thread) const {
  if (!thread.is_alive()) return false;
  return thread.event.inside ? tools_.critical.inside(thread.java_thread)
                             : tools_.critical.held() == kind_ && !tools_.words.tardy(thread.java_thread);
}

void CriticalThreads::follow(Listed& thread, int64_t now) {
  if (thread.done_ticks != 0) return;
  if (!still(thread)) {
    thread.done_ticks = now;
    return;
  }
  thread.last_ticks = now;
  if (!thread.has_stack && thread.tries < kStackTries) read_stack(thread);
}

void CriticalThreads::read_stack(Listed& thread) {
  ++thread.tries;
  if (tools_.words.tardy(thread.java_thread)) {
    thread.event.stack_remark = "it ran in Java, or in the VM, whenever it was looked at";
    return;
  }
  const EpochPin pin;
  if (!pin) {
    thread.event.stack_remark = "the recording was not open at that moment";
    return;
  }
  const auto stands = [&] { return still(thread) && !tools_.words.tardy(thread.java_thread); };
  const auto result = tools_.frozen.read(*pin, thread.java_thread, thread.os_id, stands);
  thread.event.stack_remark = explain(result.why);
  if (!result.stack) return;
  thread.has_stack = true;
  thread.where.take_stack(*pin, result.stack);
}

void CriticalThreads::set_times(Listed& thread, const CriticalTrack::Stall& stall, int64_t end_ticks) {
  const int64_t end = thread.done_ticks == 0 ? end_ticks : std::min(thread.done_ticks, end_ticks);
  LikelyStart start{stall.start_ticks, stall.start_error_ns};
  if (thread.before_ticks > stall.start_ticks)
    start = likely_start(thread.before_ticks, thread.seen_ticks, end);
  else if (!thread.event.inside)
    start = likely_start(stall.start_ticks, thread.seen_ticks, end);
  thread.event.start_ticks = start.ticks;
  thread.event.duration_ns = std::max<int64_t>(end - start.ticks, 0);
  thread.event.error_ns = start.error_ns + std::max<int64_t>(end - std::max(thread.last_ticks, start.ticks), 0);
  thread.event.java_thread = thread.java_thread;
}

void CriticalThreads::finish(const CriticalTrack::Stall& stall, LockerStall& event) {
  // Who wants to go inside counts itself, looks whether it may, and takes that back.
  const auto is_passing = [](const Listed& each) { return each.done_ticks != 0 && each.last_ticks == each.seen_ticks; };
  if (!std::ranges::all_of(inside_, is_passing))
    all_inside_ -= static_cast<int32_t>(std::erase_if(inside_, is_passing));
  for (Listed& each : inside_) set_times(each, stall, stall.held_until_ticks);
  for (Listed& each : waiting_) set_times(each, stall, stall.end_ticks);
  for (std::vector<Listed>* all : {&inside_, &waiting_})
    std::ranges::stable_sort(*all, std::ranges::greater(), [](const Listed& each) { return each.event.duration_ns; });
  event.inside = all_inside_;
  event.waiting = knows_waits_ ? static_cast<int32_t>(all_waiting_.size()) : -1;
  event.listed = static_cast<int32_t>(inside_.size() + waiting_.size());
  if (waiting_.empty()) return;
  event.longest_waiter = waiting_.front().name;
  event.longest_wait_ns = waiting_.front().event.duration_ns;
}

bool CriticalThreads::commit(const LockerStall& stall) {
  const EpochPin pin;
  if (!pin) return false;
  Ref<ThreadFact> first;
  bool all = true;
  for (std::vector<Listed>* some : {&inside_, &waiting_})
    for (Listed& each : *some) {
      each.event.id = stall.id;
      const Ref<ThreadFact> thread = each.tag(tools_.vm.layout, *pin, tools_.threads);
      if (!first && each.event.inside) first = thread;
      all = rec::commit(*pin, each.event, thread, each.where.retag_stack(*pin)) && all;
    }
  return rec::commit(*pin, stall, first,
                     inside_.empty() ? Ref<StackFact>{} : inside_.front().where.retag_stack(*pin)) &&
         all;
}

}  // namespace rec::agent
