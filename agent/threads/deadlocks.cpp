// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/deadlocks.h"

#include <algorithm>

namespace rec::agent {

// Each thread waits for one at most. Walks are numbered; who meets its own number has closed a cycle.
std::vector<Deadlock> find_cycles(std::span<const uint32_t> waits_for) {
  std::vector<Deadlock> cycles;
  std::vector<uint32_t> seen(waits_for.size(), kNobody);
  for (uint32_t start = 0; start < waits_for.size(); ++start) {
    uint32_t at = start;
    while (at < waits_for.size() && seen[at] == kNobody) {
      seen[at] = start;
      at = waits_for[at];
    }
    if (at >= waits_for.size() || seen[at] != start) continue;
    Deadlock cycle;
    for (uint32_t member = at; cycle.empty() || member != at; member = waits_for[member]) cycle.push_back(member);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

}  // namespace rec::agent
