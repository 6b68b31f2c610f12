// SPDX-License-Identifier: Apache-2.0
#include "agent/wall/wall_requests.h"

#include "agent/hotspot/processor/signal_context.h"
#include "agent/sampling/walked_stack.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

int WallRequests::try_ask(int32_t os_id, const WallSample& sample) {
  return asker_.try_ask(os_id, [&](uint32_t slot) { slots_[slot] = {os_id, sample, false}; });
}

bool WallRequests::take(int slot) {
  if (!asker_.answered(slot) && asker_.try_withdraw(slot)) {
    asker_.give_back(slot);
    return false;
  }
  if (!asker_.answered(slot)) {  // it is just being written
    asker_.leave(slot);
    return true;
  }
  const bool written = slots_[static_cast<size_t>(slot)].written;
  asker_.give_back(slot);
  return written;
}

void WallRequests::answer(uint32_t index, const ucontext_t& context) {
  Slot& slot = slots_[index];
  ThreadRecord* thread = threads_.current();
  if (thread == nullptr || thread->os_id.load(std::memory_order_relaxed) != slot.os_id || !may_fault(context)) return;
  slot.written = write(slot, *thread, context);
}

bool WallRequests::write(Slot& slot, ThreadRecord& thread, const ucontext_t& context) {
  const ScratchPool::Scratch scratch = sampler_.scratch().try_take();
  if (!scratch) return false;
  const LastWalks::Loan last = sampler_.last_walks().try_take(&thread);
  const Walk walk = walk_stack(sampler_.vm(), registers_of(context), thread.java_thread, scratch.raw,
                               sampler_.shown_frames(context), last.walk);
  bool written = false;
  if (const EpochPin pin; pin) {
    const WalkedStack walked(sampler_.vm().layout, *pin, walk, scratch, last.walk);
    const Ref<StackFact> stack = pin->intern_hashed(walked.frames, walked.truncated, 0);
    written = stack && commit(*pin, slot.sample, sampler_.thread_fact(*pin, thread), stack,
                              sampler_.context_of_caller(*pin, &thread));
  }
  sampler_.last_walks().give_back(last);
  sampler_.scratch().give_back(scratch);
  return written;
}

}  // namespace rec::agent
