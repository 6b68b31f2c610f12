// SPDX-License-Identifier: Apache-2.0
#include "agent/locks/standing_owner.h"

#include <algorithm>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/process/standing_place.h"
#include "agent/sampling/thread_facts.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int kTries = 4;  // of one that moves; the last without native frames above Java's

}  // namespace

StandingOwner::StandingOwner(VmSession& session, uint32_t stack_depth)
    : session_(session), outside_(session.vm, session.sampler.shown_frames().native), frames_(stack_depth) {}

bool StandingOwner::is_in_java_or_vm(const LockOwner& owner) const {
  const Layout& layout = session_.vm.layout;
  const VmState state = vm_state(layout, state_word(layout, owner.thread.java_thread));
  return state == VmState::kInJava || state == VmState::kInVm;
}

// The last look is at memory: what comes between it and the signal is next to nothing.
bool StandingOwner::may_be_asked(const LockOwner& owner) {
  return is_in_java_or_vm(owner) && !sleeps_in_system_call(tasks_, owner.os_id) && is_in_java_or_vm(owner);
}

std::optional<OwnerSeen> StandingOwner::read(const LockOwner& owner, const OwnerCheck& while_owner) {
  OwnerSeen seen;
  const EpochPin pin;
  if (!pin) return seen;
  for (int i = 1; i <= kTries; ++i) {
    if (may_be_asked(owner)) return {};
    if (try_read(*pin, owner, i < kTries ? OnTop::kShown : OnTop::kHidden, seen.stack)) break;
  }
  seen.epoch_serial = pin->serial();
  seen.thread = fact_of(*pin, owner);
  return while_owner.holds(owner.thread.java_thread) ? seen : OwnerSeen{};
}

// False: it has moved. What it was seen to stand in may be others' frames if it has run since.
bool StandingOwner::try_read(Epoch& epoch, const LockOwner& owner, OnTop on_top, Ref<StackFact>& stack) {
  const int64_t cpu_ns = task_cpu_ns(owner.os_id);
  const auto outcome = outside_.begin(owner.thread.java_thread, on_top == OnTop::kShown ? owner.os_id : 0);
  if (outcome != OutsideWalk::Outcome::kWalked) return outcome == OutsideWalk::Outcome::kNoFrames;
  Walk walk = outside_.walk();
  const bool is_cut = walk.count > frames_.size();
  walk.count = std::min(walk.count, static_cast<uint32_t>(frames_.size()));
  const Tagger::Stack named =
      Tagger(session_.vm.layout, epoch).stack(walk, outside_.frames().data(), nullptr, frames_.data());
  if (!outside_.confirm()) return false;
  if (outside_.native_on_top() > 0 && task_cpu_ns(owner.os_id) != cpu_ns) return false;
  stack = epoch.intern_hashed(named.frames, is_cut || walk.truncated());
  return true;
}

Ref<ThreadFact> StandingOwner::fact_of(Epoch& epoch, const LockOwner& owner) const {
  const Layout& layout = session_.vm.layout;
  Ref<ThreadFact> fact;
  session_.threads.exclusively([&] {
    ThreadRecord& record = *owner.record;
    if (record.java_thread != owner.thread.java_thread) return;
    ThreadTag tag;
    const bool is_itself = owner.thread.id == record.java_id;
    fact = is_itself ? own_fact(layout, epoch, record) : tag_carried(layout, epoch, record, owner.thread.id, tag);
  });
  return fact;
}

}  // namespace rec::agent
