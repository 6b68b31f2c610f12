// SPDX-License-Identifier: Apache-2.0
// When something began that was not there at one look and was at the next: half way between them, and no longer before
// the second than it is known to have gone on after it. Who looks seldom, since nobody gives him a CPU, would make long
// ones of short ones otherwise.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rec::agent {

struct LikelyStart {
  int64_t ticks = 0, error_ns = 0;  // it began at most so much earlier or later
};

// from_ticks: it was not there yet; seen_ticks: it was; done_ticks: it is no more.
inline LikelyStart likely_start(int64_t from_ticks, int64_t seen_ticks, int64_t done_ticks) {
  const int64_t before = std::min((seen_ticks - from_ticks) / 2, std::max<int64_t>(done_ticks - seen_ticks, 0));
  return {seen_ticks - before, std::max(seen_ticks - before - from_ticks, before)};
}

}  // namespace rec::agent
