// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/stack_requests.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "agent/hotspot/walk/tagger.h"
#include "agent/hotspot/x86_64/signal_context.h"
#include "base/clock.h"
#include "recorder/chunk/safepoint_events.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

static_assert(StackRequests::kSlots <= QuestionSignal::kMaxSlots);

std::atomic<StackRequests*> the_requests{nullptr};

void on_request(int, siginfo_t* info, void* context) {
  const ErrnoSaver errno_saver;
  StackRequests* requests = the_requests.load(std::memory_order_acquire);
  QuestionSignal signal;
  if (requests != nullptr && QuestionSignal::read(*info, signal))
    requests->on_signal(signal, *static_cast<const ucontext_t*>(context));
}

}  // namespace

StackRequests::StackRequests(const VmCode& vm, ThreadRegistry& threads, const Sampler& sampler)
    : vm_(vm), threads_(threads), sampler_(sampler), signal_(OwnSignal::Use::kQuestions, on_request) {
  the_requests.store(this, std::memory_order_release);
}

bool StackRequests::open(uint32_t depth) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!slots_) slots_.reset(new (std::nothrow) Slot[kSlots]);
  return slots_ && (signal_.is_ours() || signal_.take()) && scratch_.resize(depth);
}

// A free slot, or one that nobody waits for any more.
StackRequests::Slot* StackRequests::take(uint32_t& index) {
  using State = Question::State;
  for (const State state : {State::kFree, State::kAnswered, State::kAsked})
    for (index = 0; index < kSlots; ++index) {
      Slot& slot = slots_[index];
      if (slot.owned || slot.question.state() != state || !slot.question.reset()) continue;
      slot.owned = true;
      return &slot;
    }
  return nullptr;
}

StackRequests::Ticket StackRequests::ask(int32_t os_id, const std::vector<uint8_t>& fields) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (fields.size() > kMaxFields || !signal_.is_ours()) return {};
  uint32_t index = 0;
  Slot* slot = take(index);
  if (slot == nullptr) return {};
  slot->os_id = os_id;
  slot->size = static_cast<uint32_t>(fields.size());
  std::copy(fields.begin(), fields.end(), slot->fields.begin());
  slot->answer = {};
  const QuestionSignal signal{index, slot->question.ask()};
  if (signal.send(os_id, signal_.number())) return {static_cast<int>(index)};
  slot->question.reset();
  slot->owned = false;
  return {};
}

StackRequests::Answer StackRequests::answer(const Ticket& ticket) {
  if (!ticket) return {};
  const Slot& slot = slots_[static_cast<size_t>(ticket.slot)];
  return slot.question.state() == Question::State::kAnswered ? slot.answer : Answer{};
}

void StackRequests::forget(Ticket& ticket) {
  if (!ticket) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  slots_[static_cast<size_t>(ticket.slot)].owned = false;
  ticket = {};
}

void StackRequests::on_signal(const QuestionSignal& signal, const ucontext_t& context) {
  if (signal.slot >= kSlots) return;
  Slot& slot = slots_[signal.slot];
  if (!slot.question.begin(signal.generation)) return;
  ThreadRecord* thread = threads_.current();
  if (thread != nullptr && thread->os_id.load(std::memory_order_relaxed) == slot.os_id) reply(slot, *thread, context);
  slot.question.end();
}

// Whatever can be had: an event without a stack says at least when the thread answered.
void StackRequests::reply(Slot& slot, ThreadRecord& thread, const ucontext_t& context) {
  slot.answer.there = true;
  slot.answer.ticks = now_ticks();
  ScratchPool::Scratch scratch;
  Walk walk;
  if (may_fault(context)) scratch = scratch_.try_take();
  if (scratch) walk = walk_stack(vm_, registers_of(context), thread.java_thread, scratch.raw);
  {
    const EpochPin pin;
    if (pin) {
      if (scratch) slot.answer.stack = own_stack(*pin, walk, scratch);
      slot.answer.epoch_serial = pin->spool().header().serial;
      commit_late_stack(*pin, slot.answer.ticks, slot.fields.data(), slot.size, sampler_.thread_fact(*pin, thread),
                        slot.answer.stack);
    }
  }
  if (scratch) scratch_.give_back(scratch);
}

Ref<StackFact> StackRequests::own_stack(Epoch& epoch, const Walk& walk, const ScratchPool::Scratch& scratch) const {
  if (walk.count == 0) return {};
  Tagger tagger(vm_.layout, epoch);
  for (uint32_t i = 0; i < walk.count; ++i) scratch.frames[i] = tagger.frame(scratch.raw[i]);
  return epoch.intern_stack({scratch.frames, walk.count}, !walk.complete() || walk.gap);
}

}  // namespace rec::agent
