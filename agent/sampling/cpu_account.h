// SPDX-License-Identifier: Apache-2.0
// CpuAccount turns a thread's CPU time into samples. Signal-safe.
//
// Each thread is to have its chance: one that uses c of CPU is to be worth c / period samples on the average, however
// short it lives. So its clock begins somewhere in the period, by a random phase: as if the thread had used as much
// before. A clock that ticks exactly (perf) ticks for the first time when the rest of the period is used. A timer ticks
// with the kernel's tick, and a thread that ends before the next one is not seen. So a timer is set to the beginning of
// the stretch of kernel ticks in which the rest is used up, and each kernel tick of a thread's life, the first one like
// all others, has the chance tick / period:
//
//   CPU time   0         4         8        12 ms          period 10 ms, kernel tick 4 ms
//   rest ends  |----A----|----B----|-C-|                   A: set to 0 (4 of 10), B: to 4 ms, C: to 8 ms (2 of 10)
//   ticks         *         *         *                    ticks come anywhere in a stretch; the one after the setting
//                                                          counts
//
// At that tick one knows where the kernel's ticks are. The timer is set once more, such that the same holds of all later
// ones. Where the kernel's tick is longer than the period, every tick counts, and the first one stands for a whole tick:
// it makes up for what comes behind the last.
#pragma once

#include <atomic>
#include <cstdint>

namespace rec::agent {

struct FirstTick {
  int64_t used_ns = 0;   // of the period, before the thread began, as it were
  int64_t after_ns = 0;  // of the thread's own CPU time, what the clock is set to
  int64_t least_ns = 0;  // of the thread's own, that the tick stands for, if it comes earlier
  bool set_again = false;
};

// phase: anything from 0 to 2^64, uniform over threads. tick_ns: the kernel's tick, 0 for a clock that needs none.
FirstTick first_tick(uint64_t phase, int64_t period_ns, int64_t tick_ns);

struct CpuAccount {
  // Of who starts the clock, while it does not run.
  void open(int64_t cpu_ns, const FirstTick& first);

  // Of the thread itself, in its handler: how many samples this tick stands for. Over time they add up to the thread's
  // CPU time: the rest is carried over. slack_ns: by how much the clock and the CPU time may disagree. A clock that counts
  // more, as perf's does while a virtual machine's host has the processor, ticks for nothing now and then: 0.
  uint32_t take(int64_t cpu_ns, int64_t period_ns, int64_t slack_ns);
  int64_t next_ns(int64_t period_ns) const { return seen_ns.load(std::memory_order_relaxed) + period_ns - owed_ns; }

  // CPU time up to which samples, or counted losses, stand for it. The handler and the housekeeper take what is new.
  std::atomic<int64_t> seen_ns{0};
  int64_t owed_ns = 0;   // CPU time before it that no sample stands for yet; negative: lent
  int64_t least_ns = 0;  // that the tick to come stands for
};

}  // namespace rec::agent
