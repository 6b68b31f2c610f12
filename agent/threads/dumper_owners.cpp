// SPDX-License-Identifier: Apache-2.0
// The part of the Dumper that needs all threads: who holds what, and who waits in a circle.
#include <algorithm>

#include "agent/hotspot/state/owners.h"
#include "agent/threads/deadlocks.h"
#include "agent/threads/dumper.h"

namespace rec::agent {

void Dumper::find_owners(Candidates& candidates) const {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
    return candidate.owner.word != 0 || candidate.owner.java_thread != 0;
  });
  if (!any) return;
  std::vector<Owner> all;
  for (const Candidate& candidate : candidates) {
    const DumpedThread& thread = candidate.dumped;
    all.push_back({thread.java_thread, thread.virtual_id != 0 ? thread.virtual_id : thread.java_id});
  }
  const Owners owners(session_.vm.layout, std::move(all));
  for (Candidate& candidate : candidates)
    candidate.dumped.held_by = owners.find(candidate.owner, candidate.dumped.waiting.object).value_or(kNobody);
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
void Dumper::find_deadlocks(JNIEnv* jni, const Candidates& candidates) {
  std::vector<uint32_t> waits_for(candidates.size(), kNobody);
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    const Waiting& waiting = candidates[i].dumped.waiting;
    const bool to_let_go = waiting.kind == WaitKind::kEnter || waiting.kind == WaitKind::kPark;
    if (to_let_go && candidates[i].dumped.held_by != i) waits_for[i] = candidates[i].dumped.held_by;
  }
  for (Deadlock& cycle : find_cycles(waits_for)) {
    const bool real =
        std::all_of(cycle.begin(), cycle.end(), [&](uint32_t member) { return still_waits(jni, candidates[member]); });
    if (real) dump_.deadlocks.push_back(std::move(cycle));
  }
}

}  // namespace rec::agent
