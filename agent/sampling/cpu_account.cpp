// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/cpu_account.h"

#include <algorithm>
#include <utility>

namespace rec::agent {
namespace {

int64_t part_of(int64_t whole, uint64_t phase) {
  return static_cast<int64_t>(static_cast<unsigned __int128>(phase) * static_cast<uint64_t>(whole) >> 64);
}

}  // namespace

FirstTick first_tick(uint64_t phase, int64_t period_ns, int64_t tick_ns) {
  const int64_t used = part_of(period_ns, phase);
  return {used, tick_ns > 0 ? 0 : period_ns - used, std::max<int64_t>(tick_ns, 0)};
}

// What a timer did not see, as the thread came to it too late, counts by itself.
void CpuAccount::open(int64_t begin_ns, int64_t now_ns, const FirstTick& first) {
  const bool counts = first.tick_ns > 0;
  seen_ns.store(counts ? now_ns : begin_ns, std::memory_order_relaxed);
  owed_ns = first.used_ns + (counts ? now_ns - begin_ns : 0);
  least_ns = counts ? 0 : first.after_ns;
  tick_ns = first.tick_ns;
  lent_ns.store(0, std::memory_order_relaxed);
  switches_seen = -1;
  ticks_left = counts ? kCountedTicks : 0;
}

// What a tick stands for where the thread had used so much since the one before. Several ticks are one signal where the
// thread did not leave the kernel between them. A thread that leaves the processor may have used more than a tick by
// chance, hardly ever two more.
int64_t CpuAccount::counted(int64_t used_ns, int64_t switches) {
  const bool stayed = std::exchange(switches_seen, switches) == switches && switches >= 0;
  const int64_t stands_for = stayed ? used_ns : std::max<int64_t>(used_ns / tick_ns - 1, 1) * tick_ns;
  const int64_t lent = lent_ns.load(std::memory_order_relaxed) + stands_for - used_ns;
  const int64_t kept = --ticks_left > 0 ? lent : std::clamp<int64_t>(lent, 0, tick_ns);
  lent_ns.store(kept, std::memory_order_relaxed);
  return stands_for - lent + kept;
}

// A tick that comes though all of its time is paid for, as one that was on its way when the timer was set anew, is none.
uint32_t CpuAccount::take(int64_t cpu_ns, int64_t period_ns, int64_t slack_ns, int64_t switches) {
  const int64_t used = cpu_ns - seen_ns.exchange(cpu_ns, std::memory_order_relaxed), debt = debt_ns();
  const bool counts = counts_ticks();
  const int64_t least = slack_ns == 0 && !counts && debt < period_ns / 2 ? 1 : 0;
  owed_ns += counts ? counted(used, switches) : std::max(used, least_ns);
  least_ns = 0;
  const int64_t weight = std::clamp<int64_t>((owed_ns + slack_ns) / period_ns, least, UINT32_MAX);
  owed_ns -= weight * period_ns;
  if (!counts_ticks())
    lent_ns.store(lent_ns.load(std::memory_order_relaxed) + debt_ns() - debt, std::memory_order_relaxed);
  return static_cast<uint32_t>(weight);
}

}  // namespace rec::agent
