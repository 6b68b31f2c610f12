// SPDX-License-Identifier: Apache-2.0
// The Sampler is what happens when a clock ticks: the thread walks its own stack in the signal handler, tags what it
// meets, and commits one event. See docs/signal-safety.md for what a handler may do.
//
// Threads that block the clock's signal have the spare one, SIGFPE: HotSpot unblocks it in each thread of its own, since
// it divides by it. A timer's is told from a division by its code, and what is no timer's goes to who had it before.
//
// There is one for the life of the process, since a late tick may come at any time; each recording configures it.
#pragma once

#include <csignal>
#include <cstdint>

#include "agent/hotspot/walk/stack_walker.h"
#include "agent/sampling/clock_choice.h"
#include "agent/sampling/last_walks.h"
#include "agent/sampling/own_signal.h"
#include "agent/sampling/sample_contexts.h"
#include "agent/sampling/scratch_pool.h"
#include "agent/sampling/thread_facts.h"
#include "agent/sampling/thread_registry.h"
#include "agent/sampling/wall_sample.h"

namespace rec::agent {

enum class NoWalk : uint8_t;  // stand_in.h

class Sampler {
 public:
  Sampler(const VmCode& vm, ThreadRegistry& threads);

  // Ordinary threads, while no clock runs. depth: frames kept of a stack. False: there is no memory for the walks.
  // vm_above_events: stacks of allocations and waits for monitors begin in the VM.
  bool configure(uint32_t depth, ShownFrames shown, bool vm_above_events);
  void set_clock(const ClockChoice& clock);  // likewise, before the first tick
  // Likewise: what a tick of a Java thread is written as. A sample of CPU time, or a sample of the wall clock with this
  // interval (ns; 0: none), or both.
  void set_output(bool writes_cpu, int64_t wall_interval_ns);
  OwnSignal& signal() { return signal_; }
  // Ordinary threads. There are so many threads, of which each may be in the middle of a walk (scratch_pool.h).
  void make_room(size_t threads) { scratch_.provide(threads); }

  // Ordinary threads. Puts our handler in front of SIGFPE's, again when somebody has replaced it. False: only threads
  // that do not block signal() can be sampled.
  static bool take_spare_signal();

  // Signal-safe. A tick of a clock of ours in the calling thread.
  void tick(const siginfo_t& info, const ucontext_t& context);

  // Ordinary threads. Samples of a native thread, by a reading of its CPU time and not by a tick.
  void record_reading(ThreadRecord& thread, uint64_t samples);

  // Signal-safe. What walks need: the VM's code, and room; as configured.
  const VmCode& vm() const { return vm_; }
  ScratchPool& scratch() { return scratch_; }
  LastWalks& last_walks() { return last_walks_; }
  SampleContexts& contexts() { return contexts_; }
  CarrierFrames carrier_frames() const { return carrier_frames_.load(std::memory_order_relaxed); }
  ShownFrames shown_frames() const {
    return shown_with(carrier_frames(), native_frames_.load(std::memory_order_relaxed));
  }
  bool shows_vm_above_events() const { return vm_above_events_.load(std::memory_order_relaxed); }
  // Of a handler: without native frames where its stack has no room for them. Where may_fault().
  ShownFrames shown_frames(const ucontext_t& context) const;

  // Signal-safe. The calling thread as a fact of the epoch: the virtual thread that it runs as, if it does.
  Ref<ThreadFact> thread_fact(Epoch& epoch, ThreadRecord& thread, NameLook look = NameLook::kText) const;

  // Signal-safe, where a load may fault. The request of the calling thread, as an event for its sample. thread: null if it
  // is not known.
  Event context_of_caller(Epoch& epoch, ThreadRecord* thread) const;

  // Samples whose walk ended so, for diagnosis.
  uint64_t walks_ended(WalkEnd end) const { return ends_[static_cast<size_t>(end)].load(std::memory_order_relaxed); }

 private:
  class KernelPlaces;  // where in the kernel the tick was
  class TimedSample;
  // cpu_ns: of the thread, at the tick.
  void sample(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns);
  void sample_java_frames(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns);
  void sample_native(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns);
  void sample_native_frames(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns);
  static uint32_t without_kernel(uint32_t weight);
  static void note_tick(TickTally& tally, int64_t begin_ns, uint32_t weight);
  void record(ThreadRecord& thread, const Walk& walk, const ScratchPool::Scratch& scratch, LastWalk* last,
              uint32_t weight);
  NameLook name_look(const ThreadRecord& thread) const;
  void record_native_walk(ThreadRecord& thread, const Walk& walk, const ScratchPool::Scratch& scratch, uint32_t weight);
  void record_without_walk(ThreadRecord& thread, uint32_t weight, NoWalk why);
  enum class Faults : uint8_t { kMayCome, kMayNotCome };  // of loads: whether the thread can bear them
  void record_native(ThreadRecord& thread, Faults faults, uint32_t weight, uint32_t most_events);
  bool commit(ThreadRecord& record, Epoch& epoch, const Event& context, Ref<ThreadFact> thread,
              const HashedFrames& frames, bool truncated, uint32_t weight);
  static bool commit_cpu(Epoch& epoch, const Event& context, Ref<ThreadFact> thread, Ref<StackFact> stack,
                         uint32_t weight, uint32_t most_events);
  static WallSample wall_sample(int64_t length_ns, int64_t interval_ns);
  static void note_walk(const Walk& walk, uint32_t unnamed);

  const VmCode& vm_;
  ThreadRegistry& threads_;
  OwnSignal signal_;
  std::atomic<int64_t> period_ns_{1};
  std::atomic<bool> sees_kernel_{true}, writes_cpu_{true}, vm_above_events_{false};
  std::atomic<KernelLibrary> kernel_{};  // whose frames are shown
  std::atomic<int64_t> wall_interval_ns_{0};
  std::atomic<CarrierFrames> carrier_frames_{CarrierFrames::kHidden};
  std::atomic<NativeFrames> native_frames_{NativeFrames::kHidden};
  ScratchPool scratch_;
  SampleContexts contexts_;
  LastWalks last_walks_;
  std::array<std::atomic<uint64_t>, static_cast<size_t>(WalkEnd::kCount)> ends_{};
};

}  // namespace rec::agent
