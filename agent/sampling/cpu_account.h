// SPDX-License-Identifier: Apache-2.0
// CpuAccount turns a thread's CPU time into samples. Signal-safe.
//
// Each thread is to have its chance: one that uses c of CPU is to be worth c / period samples on the average, however
// short it lives. So its clock begins somewhere in the period, by a random phase: as if the thread had used as much
// before. A clock that ticks exactly (perf) ticks for the first time when the rest of the period is used.
//
// A timer ticks with the kernel's tick, and a thread that ends before the next one is not seen. But on the average as many
// kernel ticks meet a thread as its CPU time holds, whether it runs in one piece or in many short ones. So the first ticks
// of a thread are counted, and each stands for a whole tick, or for all that it has used since the one before if it has not
// left the processor meanwhile:
//
//   CPU time     0.9        2.4  | pause |  3.1       5.0 ms      period 10 ms, kernel tick 4 ms, phase 3 ms
//   kernel tick   *                          *                    3 + 4 = 7: none; 7 + 4 = 11: a sample, and 1 left
//
// Later on its CPU time counts alone, and the timer is set to the moment at which a sample is due: a thread that lives long
// has exactly what it used, but for what it was lent: as the first ticks stand for more than the thread had used, they make
// up for what comes behind its last one.
#pragma once

#include <atomic>
#include <cstdint>

namespace rec::agent {

struct FirstTick {
  int64_t used_ns = 0;   // of the period, before the thread began, as it were
  int64_t after_ns = 0;  // of the thread's own CPU time, what the clock is set to
  int64_t tick_ns = 0;   // the kernel's, where ticks are counted first
};

// phase: anything from 0 to 2^64, uniform over threads. tick_ns: the kernel's tick, 0 for a clock that needs none.
FirstTick first_tick(uint64_t phase, int64_t period_ns, int64_t tick_ns);

struct CpuAccount {
  static constexpr int32_t kCountedTicks = 32;

  // Of who starts the clock, while it does not run. begin_ns: from there on CPU time counts; now_ns: it has used that.
  void open(int64_t begin_ns, int64_t now_ns, const FirstTick& first);

  // Of the thread itself, in its handler: how many samples this tick stands for. Over time they add up to the thread's
  // CPU time: the rest is carried over. slack_ns: by how much the clock and the CPU time may disagree. A clock that counts
  // more, as perf's does while a virtual machine's host has the processor, ticks for nothing now and then: 0.
  // switches: how often it has left the processor, -1: not known; only where ticks are counted.
  uint32_t take(int64_t cpu_ns, int64_t period_ns, int64_t slack_ns, int64_t switches = -1);
  // When the next sample is due, by the thread's CPU time. While ticks are counted each of them is wanted.
  int64_t next_ns(int64_t period_ns) const { return seen_ns.load(std::memory_order_relaxed) + period_ns - owed_ns; }
  bool counts_ticks() const { return ticks_left > 0; }

  // CPU time up to which samples, or counted losses, stand for it. The handler and the housekeeper take what is new.
  std::atomic<int64_t> seen_ns{0};
  int64_t owed_ns = 0;   // CPU time before it that no sample stands for yet; negative: lent
  int64_t least_ns = 0;  // that the tick to come stands for
  int64_t tick_ns = 0;
  std::atomic<int64_t> lent_ns{0};  // what samples stand for, beyond CPU time: lent by counted ticks, and not paid back
  int64_t switches_seen = -1;
  int32_t ticks_left = 0;

 private:
  int64_t debt_ns() const { return owed_ns < 0 ? -owed_ns : 0; }
  int64_t counted(int64_t used_ns, int64_t switches);
};

}  // namespace rec::agent
