// SPDX-License-Identifier: Apache-2.0
// OwnerWatch is a thread of ours that asks who holds a lock where it is, while others wait for it: when one has waited for
// `threshold`, and again after twice as long, and so on. Whoever waits has then, when it goes on, the stack of the owner
// as it was while it held the lock.
//
//   each threshold/2:  waits that are due -> the monitor's owner -> a question by signal (safepoint/stack_requests.h); one that does not
//                                                                   run Java code is read from outside (standing_owner.h)
//                      answers that came  -> the wait
//
// A lock that many wait for has one owner, who is asked once for all of them. Ordinary threads, one at a time.
#pragma once

#include <optional>
#include <vector>

#include "agent/hotspot/state/waiting.h"
#include "agent/locks/standing_owner.h"
#include "agent/locks/wait_table.h"
#include "agent/process/housekeeper.h"
#include "agent/safepoint/stack_requests.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class OwnerWatch {
 public:
  // What it works with; outlives it.
  OwnerWatch(VmSession& session, StackRequests& requests, WaitTable& waits)
      : session_(session), requests_(requests), waits_(waits) {}

  // False: there is no signal, or no thread, to ask with: waits are recorded without their owners' stacks.
  bool start(uint32_t stack_depth, int64_t threshold_ns);
  void stop();

 private:
  struct Asked {
    uint64_t monitor;
    StackRequests::Ticket ticket;
    std::vector<WaitKey> waits;
    uint32_t looks;                 // without an answer
    std::optional<OwnerSeen> seen;  // from outside: there is no ticket
  };
  void run(Housekeeper::Pause& pause, uint32_t stack_depth, int64_t threshold_ns);
  void collect();
  void ask(StandingOwner& standing);
  std::vector<LockOwner> all_owners();
  void ask_owner(StandingOwner& standing, const LockOwner& owner, const WaitTable::Due& wait, const OwnerWord& word);
  void tell(const Asked& asked, const OwnerSeen& seen);
  void tell_seen();

  VmSession& session_;
  StackRequests& requests_;
  WaitTable& waits_;
  Housekeeper thread_;
  std::vector<Asked> asked_;  // the thread's own
};

}  // namespace rec::agent
