// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sampler.h"

#include <ucontext.h>

#include <cassert>
#include <cstring>

#include "agent/hotspot/vm/java_thread.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/hotspot/x86_64/signal_context.h"
#include "agent/process/signal_chain.h"
#include "agent/sampling/cpu_clock.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

// The handler's way to the sampler; null before the first sampler and never null again.
std::atomic<Sampler*> the_sampler{nullptr};

// perf raises our signal as if a descriptor were ready. What is not a clock's (kill, a timer of the process) is not
// ours to handle.
bool is_tick(const siginfo_t* info) {
  return info->si_code == SI_TIMER || (info->si_code >= POLL_IN && info->si_code <= POLL_HUP);
}

void on_tick(int, siginfo_t* info, void* context) {
  const ErrnoSaver errno_saver;
  // acquire: pairs with the release in Sampler's constructor.
  Sampler* sampler = the_sampler.load(std::memory_order_acquire);
  if (sampler != nullptr && is_tick(info)) sampler->sample(*static_cast<const ucontext_t*>(context));
}

void on_division(int signal, siginfo_t* info, void* context);

constinit SignalChain division(kSpareClockSignal, on_division);

void on_division(int signal, siginfo_t* info, void* context) {
  if (info->si_code == SI_TIMER)
    on_tick(signal, info, context);
  else
    division.pass_up(info, context);
}

}  // namespace

Sampler::Sampler(const VmCode& vm, ThreadRegistry& threads)
    : vm_(vm), threads_(threads), signal_(OwnSignal::Use::kClock, on_tick) {
  // release: pairs with the acquire in on_tick(). All members are made by now.
  the_sampler.store(this, std::memory_order_release);
}

bool Sampler::take_spare_signal() { return division.put_in_front(); }

bool Sampler::configure(uint32_t depth, int64_t period_ns) {
  period_ns_.store(period_ns, std::memory_order_relaxed);
  return scratch_.resize(depth);
}

void Sampler::sample(const ucontext_t& context) {
  LossCounters& losses = Engine::losses();
  ThreadRecord* thread = threads_.current();
  if (thread == nullptr) return losses.count(Loss::kNoThread);
  if (!may_fault(context)) return losses.count(Loss::kMayNotFault);
  const uint32_t weight = take_weight(*thread);
  const ScratchPool::Scratch scratch = scratch_.try_take();
  if (!scratch) return losses.count(Loss::kNoScratch);
  const Walk walk = walk_stack(vm_, registers_of(context), thread->java_thread, scratch.raw);
  ends_[static_cast<size_t>(walk.end)].fetch_add(1, std::memory_order_relaxed);
  if (walk.count > 0)
    record(*thread, walk, scratch, weight);
  else
    losses.count(walk.end == WalkEnd::kNoJavaFrame ? Loss::kNoJavaFrame : Loss::kWalkFailed);
  scratch_.give_back(scratch);
}

// Periods of CPU since the thread's last sample, the rest carried over: over time the weights add up to the thread's
// CPU time.
uint32_t Sampler::take_weight(ThreadRecord& thread) const {
  const int64_t now = CpuClock::thread_cpu_ns();
  thread.cpu_owed_ns += now - thread.cpu_seen_ns.exchange(now, std::memory_order_relaxed);
  const int64_t period = period_ns_.load(std::memory_order_relaxed);
  assert(period > 0 && "configure() comes before the first tick");
  int64_t weight = (thread.cpu_owed_ns + period / 2) / period;
  if (weight < 1) weight = 1;
  thread.cpu_owed_ns -= weight * period;
  if (thread.cpu_owed_ns < -period) thread.cpu_owed_ns = -period;
  if (weight > 1) Engine::losses().note(Note::kOverrun, static_cast<uint64_t>(weight - 1));
  return static_cast<uint32_t>(weight);
}

void Sampler::record(ThreadRecord& thread, const Walk& walk, const ScratchPool::Scratch& scratch, uint32_t weight) {
  LossCounters& losses = Engine::losses();
  const EpochPin pin;
  if (!pin) return losses.count(pin.why());
  Tagger tagger(vm_.layout, *pin);
  uint64_t unnamed = 0;
  for (uint32_t i = 0; i < walk.count; ++i) {
    scratch.frames[i] = tagger.frame(scratch.raw[i]);
    unnamed += scratch.frames[i].method ? 0 : 1;
  }
  const bool whole = walk.complete() && !walk.gap;
  const Ref<StackFact> stack = pin->intern_stack({scratch.frames, walk.count}, !whole);
  if (!stack) return;
  Event event;
  event.kind = EventKind::kSample;
  event.ticks = base::now_ticks();
  event.thread = thread_fact(*pin, thread);
  event.stack = stack;
  event.value = sample_value(kStateRunnable, weight);
  if (!pin->commit(event)) return;
  if (unnamed != 0) losses.note(Note::kUnnamed, unnamed);
  if (walk.end == WalkEnd::kDepth || walk.gap)
    losses.note(Note::kTruncated);
  else if (!whole)
    losses.note(Note::kBroken);
}

Ref<ThreadFact> Sampler::thread_fact(Epoch& epoch, ThreadRecord& thread) const {
  const int64_t carried = carried_thread_id(vm_.layout, thread.java_thread, thread.java_id);
  if (carried == 0) {
    if (const Ref<ThreadFact> known = epoch.find_thread(thread.tag)) return known;
    return epoch.tag_thread(thread.tag, shape_of(thread, 0));
  }
  if (carried != thread.virtual_id) {
    for (auto& word : thread.virtual_tag.word) word.store(0, std::memory_order_relaxed);
    thread.virtual_id = carried;
  }
  if (const Ref<ThreadFact> known = epoch.find_thread(thread.virtual_tag)) return known;
  return epoch.tag_thread(thread.virtual_tag, shape_of(thread, carried));
}

ThreadShape shape_of(const ThreadRecord& record, int64_t virtual_id) {
  ThreadShape shape;
  shape.java_thread_id = virtual_id != 0 ? virtual_id : record.java_id;
  shape.id = static_cast<ThreadId>(shape.java_thread_id);
  shape.is_virtual = virtual_id != 0;
  if (shape.is_virtual) return shape;  // it has no thread of the system, and its name lies in the heap
  shape.os_thread_id = record.os_id.load(std::memory_order_relaxed);
  shape.java_name = {record.name.data(), record.name_size};
  shape.os_name = shape.java_name;
  shape.group_name = {record.group.data(), record.group_size};
  return shape;
}

}  // namespace rec::agent
