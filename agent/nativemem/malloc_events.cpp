// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/malloc_events.h"

#include <initializer_list>

#include "agent/hotspot/processor/registers_here.h"
#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/walk/native_caller.h"
#include "agent/sampling/anchored_stack.h"
#include "agent/sampling/native_stack.h"
#include "agent/sampling/stand_in.h"
#include "base/clock.h"
#include "base/leb128.h"
#include "format/type_ids.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

using Outcome = MallocEvents::Outcome;
using jfr::TypeId;

// The fields behind thread and stack.
class Fields {
 public:
  Fields(std::initializer_list<uint64_t> numbers) {
    for (const uint64_t number : numbers) {
      const size_t width = base::leb_size(number);
      base::put_padded_leb(number, width, bytes_ + size_);
      size_ += width;
    }
  }
  EncodedShape shape(TypeId type) const {
    return {static_cast<uint32_t>(type), false, true, true, false, bytes_, static_cast<uint32_t>(size_)};
  }

 private:
  uint8_t bytes_[2 * base::kLebMostBytes];
  size_t size_ = 0;
};

Outcome outcome_of(const EpochPin& pin) {
  return pin.why() == Loss::kNotRecording ? Outcome::kNotRecording : Outcome::kLost;
}

Outcome commit(Epoch& epoch, TypeId type, const Fields& fields, Event event, const Event& context = {}) {
  event.kind = EventKind::kEncoded;
  event.other = epoch.copy_encoded(fields.shape(type)).unit;
  return event.other != 0 && epoch.commit(context, event) ? Outcome::kWritten : Outcome::kLost;
}

Event event_now(Ref<ThreadFact> thread, Ref<StackFact> stack) {
  Event event;
  event.ticks = base::now_ticks();
  event.thread = thread;
  event.stack = stack;
  return event;
}

Outcome commit_malloc(Epoch& epoch, const SampledMalloc& what, const Event& event, const Event& context) {
  return commit(epoch, TypeId::kMalloc, {what.address, what.size}, event, context);
}

Ref<StackFact> lone_frame(Epoch& epoch, ThreadKind kind) {
  const Frame frame = kind == ThreadKind::kJava ? stand_in_frame_without_walk(epoch, NoWalk::kMayNotFault)
                                                : stand_in_frame(epoch, kind);
  return epoch.intern_hashed(hashed({&frame, 1}), kind == ThreadKind::kJava, 0);
}

}  // namespace

// A walk may fault, and whoever blocks the signal of that would end the process.
Outcome MallocEvents::allocated(const SampledMalloc& what) {
  ThreadRecord* const record = session_->threads.current();
  if (!may_fault_here()) return allocated_unwalked(what, record);
  const bool is_java = record != nullptr && record->kind == ThreadKind::kJava && record->java_thread != 0;
  const bool shows_native = session_->sampler.shown_frames().native == NativeFrames::kShown && has_room_here();
  const Registers from = shows_native ? caller_of_library(session_->vm.modules, registers_here()) : Registers();
  return is_java ? allocated_in_java(what, *record, from) : allocated_elsewhere(what, record, from);
}

Outcome MallocEvents::allocated_unwalked(const SampledMalloc& what, ThreadRecord* record) {
  const EpochPin pin;
  if (!pin) return outcome_of(pin);
  const Caller caller = callers_.tell(*pin, session_->sampler, record);
  return commit_malloc(*pin, what, event_now(caller.thread, lone_frame(*pin, caller.kind)), {});
}

Outcome MallocEvents::allocated_elsewhere(const SampledMalloc& what, ThreadRecord* record, const Registers& from) {
  const NativeStack stack(session_->sampler, from);
  const EpochPin pin;
  if (!pin) return outcome_of(pin);
  const Caller caller = callers_.tell(*pin, session_->sampler, record);
  const bool walked = stack && caller.kind != ThreadKind::kJava;
  const Event event = event_now(caller.thread, walked ? stack.tag(*pin, caller.kind) : lone_frame(*pin, caller.kind));
  return commit_malloc(*pin, what, event, session_->sampler.context_of_caller(*pin, record));
}

Outcome MallocEvents::allocated_in_java(const SampledMalloc& what, ThreadRecord& thread, const Registers& from) {
  const AnchoredStack stack(session_->sampler, thread, from);
  const EpochPin pin;
  if (!pin) return outcome_of(pin);
  const Event event = event_now(session_->sampler.thread_fact(*pin, thread), stack.tag(*pin));
  return commit_malloc(*pin, what, event, session_->sampler.context_of_caller(*pin, &thread));
}

Outcome MallocEvents::freed(uint64_t address, int64_t ticks) {
  ThreadRecord* const record = session_->threads.current();
  const EpochPin pin;
  if (!pin) return outcome_of(pin);
  Event event;
  event.ticks = ticks;
  event.thread = callers_.tell(*pin, session_->sampler, record).thread;
  return commit(*pin, TypeId::kFree, {address}, event);
}

}  // namespace rec::agent
