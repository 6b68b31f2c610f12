// SPDX-License-Identifier: Apache-2.0
// What the agent knows of one thread. Written by the thread itself, or by an ordinary thread before the thread's clock
// runs; its own signal handler reads it. Records are pooled and never freed: a handler may look at any of them at
// any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "agent/hotspot/state/thread_kind.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/walk/kernel_chain.h"
#include "agent/sampling/cpu_account.h"
#include "agent/sampling/walk_budget.h"
#include "recorder/epoch/epoch.h"

namespace rec::agent {

inline constexpr size_t kMaxThreadName = 256;  // bytes; longer names are cut

enum class ClockState : uint8_t { kStopped, kFirst, kChanging, kSteady };  // cpu_clock.h

// What a thread's clock has done since the recording, or the thread, began. Written by the thread's handler; others may
// look.
struct TickTally {
  std::atomic<uint64_t> ticks{0};
  std::atomic<uint64_t> samples{0};  // that these, and readings and counted losses, stood for
  std::atomic<uint64_t> timed{0};    // of these: handlers that were timed,
  std::atomic<int64_t> timed_ns{0};  // which took so long, in CPU time
  // Under the registry's lock.
  int64_t begin_ns = 0;   // CPU time when it began
  uint64_t looked = 0;    // ticks at the housekeeper's last look,
  uint64_t switched = 0;  // and how often the thread had come to a processor by then

  void reset(int64_t cpu_ns) {
    for (auto* each : {&ticks, &samples, &timed}) each->store(0, std::memory_order_relaxed);
    timed_ns.store(0, std::memory_order_relaxed);
    begin_ns = cpu_ns;
    looked = switched = 0;
  }
  void add_samples(uint64_t more) {
    samples.store(samples.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  int64_t samples_ns(int64_t period_ns) const {
    return static_cast<int64_t>(samples.load(std::memory_order_relaxed)) * period_ns;
  }
};

struct ThreadRecord {
  std::atomic<int32_t> os_id{0};  // 0: the record is free
  ThreadKind kind = ThreadKind::kJava;
  uint64_t native_number = 0;  // of a thread that Java does not know: no other of this process has it
  int64_t java_id = 0;
  std::atomic<uint64_t> pointer{0};  // its thread pointer, once it has been met on itself; 0: not yet
  uint64_t java_thread = 0;          // JavaThread*, valid until the thread's end; 0: Java does not know the thread
  // When the thread became known; 0: not known.
  int32_t java_priority = 0;
  std::array<char, kMaxThreadName> name{};
  std::array<char, kMaxThreadName> group{};
  uint16_t name_size = 0, group_size = 0;
  std::atomic<uint64_t> name_reference{0};  // to the name that `tag` has (thread_facts.h); 0: that was not read

  ThreadTag tag;           // of the thread
  ThreadTag virtual_tag;   // of the virtual thread it carries,
  int64_t virtual_id = 0;  // which is this one
  LastCarried carried;     // of its own handler
  WalkBudget budget;       // likewise

  // Of another thread, or of this one before Java knew it; at a time when its clock does not run.
  void forget_tags() {
    tag.forget();
    virtual_tag.forget();
    virtual_id = 0;
    carried = {};
  }

  // Its CPU clock; under the registry's lock.
  bool clocked = false;
  bool unclocked = false;  // it should be, and the system gave it no clock
  bool is_read = false;    // it is clocked by readings of its CPU time (thread_readings.h), and raises no signal
  void* timer = nullptr;
  bool has_timer = false;
  int clock_signal = 0;  // what it raises
  // Shared with its handler (cpu_clock.h).
  std::atomic<int> perf_fd{-1};
  uint64_t perf_id = 0;  // the kernel's name for what perf_fd is: its number may be somebody else's by now
  std::atomic<ClockState> clock_state{ClockState::kStopped};
  KernelChain kernel_chain;  // of perf_fd
  CpuAccount account;
  TickTally tally;
  // Time that it has waited for a CPU, as the wall clock has found and its next tick writes: where it is met behind a wait it has
  // gone on, and a tick comes at a moment by chance of what it runs.
  std::atomic<int64_t> waited_ns{0};
  // And where its last tick met it, for what is left when it ends: epoch serial << 32 | unit of the StackFact; and who that was, by
  // the unit of the ThreadFact: a carrier has the stacks of many.
  std::atomic<uint64_t> last_stack{0};
  std::atomic<uint32_t> last_thread{0};

  // Of its own callbacks (agent/heap/sample_points.h), in bytes that it has allocated.
  struct AllocationPoint {
    int64_t due = 0;   // where it is to be sampled; before the first one any number has reached it
    int64_t seen = 0;  // at the last callback
    bool reached = true;
    uint32_t often = 0;  // points for which the VM is made to call more often than they are due
  } allocation;

  ThreadRecord* next_free = nullptr;
};

// By its group (src/java.base/share/classes/jdk/internal/misc/CarrierThread.java has the name).
inline bool is_carrier(const ThreadRecord& record) {
  return std::string_view(record.group.data(), record.group_size) == "CarrierThreads";
}

}  // namespace rec::agent
