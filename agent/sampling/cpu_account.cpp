// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/cpu_account.h"

#include <algorithm>

namespace rec::agent {
namespace {

int64_t part_of(int64_t whole, uint64_t phase) {
  return static_cast<int64_t>(static_cast<unsigned __int128>(phase) * static_cast<uint64_t>(whole) >> 64);
}

}  // namespace

FirstTick first_tick(uint64_t phase, int64_t period_ns, int64_t tick_ns) {
  const int64_t used = part_of(period_ns, phase);
  const int64_t rest = period_ns - used;
  if (tick_ns <= 0) return {used, rest, rest, false};
  const int64_t stretch = (rest - 1) / tick_ns;
  const bool in_step = period_ns < tick_ns || period_ns % tick_ns == 0;  // as it is set, so it stays
  return {used, stretch * tick_ns, (stretch + 1) * tick_ns, !in_step};
}

void CpuAccount::open(int64_t cpu_ns, const FirstTick& first) {
  seen_ns.store(cpu_ns, std::memory_order_relaxed);
  owed_ns = first.used_ns;
  least_ns = first.least_ns;
}

uint32_t CpuAccount::take(int64_t cpu_ns, int64_t period_ns, int64_t slack_ns) {
  owed_ns += std::max(cpu_ns - seen_ns.exchange(cpu_ns, std::memory_order_relaxed), least_ns);
  least_ns = 0;
  const int64_t least = slack_ns == 0 ? 1 : 0;
  const int64_t weight = std::clamp<int64_t>((owed_ns + slack_ns) / period_ns, least, UINT32_MAX);
  owed_ns = std::max(owed_ns - weight * period_ns, -period_ns);
  return static_cast<uint32_t>(weight);
}

}  // namespace rec::agent
