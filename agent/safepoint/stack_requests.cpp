// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/stack_requests.h"

#include <algorithm>
#include <new>

#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/walk/tagger.h"
#include "base/clock.h"
#include "recorder/chunk/safepoint_events.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
StackRequests::StackRequests(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler)
    : vm_(vm), threads_(threads), sampler_(sampler), asker_(*this) {}

bool StackRequests::open(uint32_t depth) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!slots_) slots_.reset(new (std::nothrow) Slot[kSlots]);
  return slots_ && asker_.ready() && scratch_.resize(depth);
}

StackRequests::Ticket StackRequests::ask(int32_t os_id, const std::vector<uint8_t>& fields,
                                         const OwnerCheck& while_owner, const std::function<bool()>& last_look) {
  if (fields.size() > kMaxFields || !slots_ || asker_.is_deaf(os_id)) return {};
  const auto prepare = [&](uint32_t index) {
    Slot& slot = slots_[index];
    slot.os_id = os_id;
    slot.size = static_cast<uint32_t>(fields.size());
    std::copy(fields.begin(), fields.end(), slot.fields.begin());
    slot.while_owner = while_owner;
    slot.answer = {};
  };
  return {asker_.try_ask(os_id, prepare, [&] { return !last_look || last_look(); })};
}

StackRequests::Answer StackRequests::answer_of(const Ticket& ticket) const {
  return ticket && asker_.answered(ticket.slot) ? slots_[static_cast<size_t>(ticket.slot)].answer : Answer{};
}

void StackRequests::forget(Ticket& ticket) {
  if (ticket) asker_.leave(ticket.slot);
  ticket = {};
}

void StackRequests::answer(uint32_t index, const ucontext_t& context) {
  Slot& slot = slots_[index];
  ThreadRecord* thread = threads_.current();
  if (thread != nullptr && thread->os_id.load(std::memory_order_relaxed) == slot.os_id) reply(slot, *thread, context);
}

// Whatever can be had: an event without a stack says at least when the thread answered.
void StackRequests::reply(Slot& slot, ThreadRecord& thread, const ucontext_t& context) {
  slot.answer.there = true;
  slot.answer.ticks = base::now_ticks();
  slot.answer.registers = registers_of(context);
  if (!slot.while_owner.holds(thread.java_thread)) return;
  ScratchPool::Scratch scratch;
  Walk walk;
  if (may_fault(context)) scratch = scratch_.try_take();
  if (scratch)
    walk = walk_stack(vm_, slot.answer.registers, thread.java_thread, scratch.raw, sampler_.shown_frames(context));
  {
    const EpochPin pin;
    if (pin) {
      if (scratch) slot.answer.stack = own_stack(*pin, walk, scratch);
      slot.answer.epoch_serial = pin->spool().header().serial;
      slot.answer.thread = sampler_.thread_fact(*pin, thread);
      if (slot.size > 0)
        commit_late_stack(*pin, slot.answer.ticks, slot.fields.data(), slot.size, slot.answer.thread,
                          slot.answer.stack);
    }
  }
  if (scratch) scratch_.give_back(scratch);
}

Ref<StackFact> StackRequests::own_stack(Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch) const {
  if (walk.count == 0) return {};
  const Tagger::Stack stack = Tagger(vm_.layout, epoch).stack(walk, scratch.raw.data(), nullptr, scratch.frames);
  return epoch.intern_hashed(stack.frames, walk.truncated());
}

}  // namespace rec::agent
