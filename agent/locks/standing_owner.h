// SPDX-License-Identifier: Apache-2.0
// StandingOwner reads from outside where the owner of a lock is that does not run in Java code or in the VM. A signal would end the system
// call that it sleeps in: poll, select, nanosleep and their like come back with EINTR, whatever the handler asks for (signal(7)).
//
//   in Java, in the VM          may_be_asked(): by a signal; unless it sleeps in a system call all the same, as native code may that the
//                               VM calls as if it were Java (Linker.Option.critical)
//   in native code, blocked     read(): Java's frames; those of native code above them only while it sleeps
//
// Ordinary threads, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/hotspot/state/monitor_words.h"
#include "agent/hotspot/state/owners.h"
#include "agent/hotspot/walk/outside_walk.h"
#include "agent/locks/wait_table.h"
#include "agent/process/os_state.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

struct LockOwner {
  Owner thread;
  ThreadRecord* record = nullptr;
  int32_t os_id = 0;
};

class StandingOwner {
 public:
  StandingOwner(VmSession& session, uint32_t stack_depth);

  // It runs, and not in native code. True for that moment: looked at again just before the signal is sent.
  bool may_be_asked(const LockOwner& owner);

  // Nothing: it has gone on, and may be asked. Without a thread: it does not hold the lock any more, or nothing is recorded. Without
  // a stack: it could not be read.
  std::optional<OwnerSeen> read(const LockOwner& owner, const OwnerCheck& while_owner);

 private:
  enum class OnTop : uint8_t { kHidden, kShown };  // native frames above Java's
  bool is_in_java_or_vm(const LockOwner& owner) const;
  bool try_read(Epoch& epoch, const LockOwner& owner, OnTop on_top, Ref<StackFact>& stack);
  Ref<ThreadFact> fact_of(Epoch& epoch, const LockOwner& owner) const;

  VmSession& session_;
  OutsideWalk outside_;
  TaskDirectory tasks_;
  std::vector<Frame> frames_;
};

}  // namespace rec::agent
