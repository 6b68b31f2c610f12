// SPDX-License-Identifier: Apache-2.0
// The second half of the Dumper: what needs all threads, and the system.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "agent/hotspot/safe_load.h"
#include "agent/os_state.h"
#include "agent/threads/deadlocks.h"
#include "agent/threads/dumper.h"

namespace rec::agent {
namespace {

constexpr uint64_t kAnonymousOwner = 1;  // locked on its owner's lock stack (ObjectMonitor::ANONYMOUS_OWNER)
constexpr uint32_t kMaxLockStack = 64;

}  // namespace

void Dumper::find_owners(Candidates& candidates) const {
  std::unordered_map<uint64_t, uint32_t> by_thread, by_id;
  std::vector<std::pair<uint64_t, uint32_t>> by_base;  // of the stack, ascending
  const Layout& layout = session_.vm.layout;
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const DumpedThread& thread = candidates[i].dumped;
    by_thread[thread.java_thread] = i;
    by_id[static_cast<uint64_t>(thread.virtual_id != 0 ? thread.virtual_id : thread.java_id)] = i;
    by_base.emplace_back(word_at(thread.java_thread + layout.thread_stack_base), i);
  }
  std::sort(by_base.begin(), by_base.end());
  const auto in = [](const auto& map, uint64_t key) {
    const auto at = map.find(key);
    return at == map.end() ? kNobody : at->second;
  };
  const auto whose_stack = [&](uint64_t address) {
    const auto at = std::upper_bound(by_base.begin(), by_base.end(), std::pair<uint64_t, uint32_t>{address, kNobody});
    if (at == by_base.end()) return kNobody;
    const uint64_t size = word_at(candidates[at->second].dumped.java_thread + layout.thread_stack_size);
    return address >= at->first - size ? at->second : kNobody;
  };
  for (Candidate& candidate : candidates) {
    Waiting& waiting = candidate.dumped.waiting;
    const OwnerWord& owner = candidate.owner;
    if (owner.java_thread != 0) waiting.owner = in(by_thread, owner.java_thread);
    if (owner.word == 0) continue;
    if (owner.word == kAnonymousOwner)
      waiting.owner = anonymous_owner(candidates, waiting.object);
    else if (layout_.owner_is_id)
      waiting.owner = in(by_id, owner.word);
    else if (waiting.owner = in(by_thread, owner.word); waiting.owner == kNobody)
      waiting.owner = whose_stack(owner.word);
  }
}

uint32_t Dumper::anonymous_owner(const Candidates& candidates, uint64_t object) const {
  if (object == 0 || layout_.lock_stack == kAbsent || layout_.lock_stack_top == kAbsent) return kNobody;
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const uint64_t thread = candidates[i].dumped.java_thread;
    const uint32_t begin = layout_.lock_stack + layout_.lock_stack_base;  // _top counts from the thread, too
    const uint32_t end = half_at(thread + layout_.lock_stack + layout_.lock_stack_top);
    for (uint32_t at = begin; at < end && at < begin + 8 * kMaxLockStack; at += 8)
      if (word_at(thread + at) == object) return i;
  }
  return kNobody;
}

bool Dumper::still_waits(JNIEnv* jni, const Candidate& candidate) const {
  const Waiting& before = candidate.dumped.waiting;
  OwnerWord owner;
  const Waiting now = before.kind == WaitKind::kPark ? waits_.blocker_of(jni, candidate.thread, owner)
                                                     : waits_.monitor_of(candidate.dumped.java_thread, owner);
  return alive(jni, candidate) && now.kind == before.kind && now.monitor == before.monitor &&
         now.klass == before.klass && owner.word == candidate.owner.word &&
         owner.java_thread == candidate.owner.java_thread;
}

// The threads were looked at one after another: a cycle counts only if each of its members waits for the same still.
void Dumper::find_deadlocks(JNIEnv* jni, const Candidates& candidates, ThreadDump& dump) const {
  std::vector<uint32_t> waits_for(candidates.size(), kNobody);
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const Waiting& waiting = candidates[i].dumped.waiting;
    const bool to_let_go = waiting.kind == WaitKind::kEnter || waiting.kind == WaitKind::kPark;
    if (to_let_go && waiting.owner != i) waits_for[i] = waiting.owner;
  }
  for (Deadlock& cycle : find_cycles(waits_for)) {
    const bool real =
        std::all_of(cycle.begin(), cycle.end(), [&](uint32_t member) { return still_waits(jni, candidates[member]); });
    if (real) dump.deadlocks.push_back(std::move(cycle));
  }
}

void Dumper::read_os(Candidates& candidates, ThreadDump& dump) const {
  std::unordered_set<int32_t> known;
  for (Candidate& candidate : candidates) {
    DumpedThread& thread = candidate.dumped;
    known.insert(thread.os_id);
    const int64_t cpu = task_cpu_ns(thread.os_id);
    thread.os = read_os_state(thread.os_id);
    if (cpu >= 0) thread.os.cpu_ns = cpu;
    thread.on_cpu = thread.on_cpu || (cpu > candidate.first_cpu_ns && candidate.first_cpu_ns >= 0);
    dump.threads.push_back(std::move(thread));
  }
  for (const int32_t os_id : all_os_threads()) {
    if (known.contains(os_id)) continue;
    DumpedThread thread;
    thread.os_id = os_id;
    thread.name = os_thread_name(os_id);
    thread.os = read_os_state(os_id);
    thread.why = "not a thread of Java";
    if (const int64_t cpu = task_cpu_ns(os_id); cpu >= 0) thread.os.cpu_ns = cpu;
    if (thread.os.state != 0) dump.threads.push_back(std::move(thread));  // else it has ended
  }
}

}  // namespace rec::agent
