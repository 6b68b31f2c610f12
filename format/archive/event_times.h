// SPDX-License-Identifier: Apache-2.0
// When the events of a chunk start: not all of them within it.
//
//   ....far....            near|      chunk      |near      ....far....
//   by type, in runs     early_ns              late_ns      by type, in runs
//
// Near is less than kNear_ns away from the chunk, far is the rest: a few that took long, or that tell of the past. Runs
// of one type have no gap of more than kNear_ns in them, or of more than that where there would be too many runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/member.h"

namespace jfr::archive {

inline constexpr int64_t kNear_ns = 1'000'000'000;
inline constexpr size_t kMostRuns = 64;  // of a chunk, or as many as it has types of far events

struct EventReach {
  uint64_t early_ns = 0, late_ns = 0;  // as in a Part (format/archive/member.h)
  std::vector<FarStarts> far;
};

// chunk: all of its bytes. kNobodyKnows where an event cannot be read.
EventReach event_reach(std::span<const uint8_t> chunk);

}  // namespace jfr::archive
