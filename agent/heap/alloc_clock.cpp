// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/alloc_clock.h"

#include "agent/hotspot/walk/object_class.h"
#include "agent/sampling/anchored_stack.h"
#include "base/clock.h"
#include "base/units.h"
#include "recorder/engine/engine.h"

namespace rec::agent {

base::Status AllocClock::start(JNIEnv*, int64_t interval_bytes) {
  return heap_.take(HeapSampler::kAlloc, interval_bytes);
}
base::Status AllocClock::change(int64_t interval_bytes) { return heap_.take(HeapSampler::kAlloc, interval_bytes); }

void AllocClock::stop(JNIEnv*) {
  if (heap_.interval(HeapSampler::kAlloc) != 0) heap_.give_back(HeapSampler::kAlloc);
}

ClockStatus AllocClock::status() {
  const int64_t interval = heap_.interval(HeapSampler::kAlloc);
  return {interval != 0, interval, base::size_text(interval), ""};
}

void AllocClock::sampled(jclass mirror, jlong size) {
  const int64_t weight = heap_.sampled(HeapSampler::kAlloc, size);
  // acquire: pairs with the release in ActiveRecording::start().
  if (weight == 0 || !session_.takes_events.load(std::memory_order_acquire)) return;
  LossCounters& losses = Engine::losses();
  if (record(mirror, weight)) return losses.note(Note::kAllocations);
  losses.note(Note::kAllocationsLost);
  losses.note(Note::kAllocatedKbLost, static_cast<uint64_t>(weight) >> 10);
}

bool AllocClock::record(jclass mirror, int64_t weight) {
  ThreadRecord* thread = session_.threads.current();
  if (thread == nullptr || thread->java_thread == 0) return false;
  const AnchoredStack stack(session_.sampler, *thread, teller_of_event(session_.sampler));
  const EpochPin pin;
  if (!pin) return false;
  Event event;
  event.kind = EventKind::kAllocation;
  event.ticks = base::now_ticks();
  event.thread = session_.sampler.thread_fact(*pin, *thread);
  event.stack = stack.tag(*pin);
  event.other = class_fact(session_.vm.layout, *pin, mirror).unit;
  event.value = static_cast<uint64_t>(weight);
  return pin->commit(session_.sampler.context_of_caller(*pin, thread), event);
}

}  // namespace rec::agent
