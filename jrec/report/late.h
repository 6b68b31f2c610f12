// SPDX-License-Identifier: Apache-2.0
// Late safepoints with their threads and the stacks that tell why, for a page: the worst kMostStalls.
//
//   "stalls":[{"at","ms","kind","operation","cause","threads":[{"name","ms","reason","frames":[...]}...]}...]     at, ms: as marks (lanes.h)
#pragma once

#include <string>
#include <vector>

#include "jrec/report/axis.h"
#include "jrec/safepoints/stalls.h"

namespace jrec {

inline constexpr size_t kMostStalls = 200, kMostLateThreads = 8, kMostLateFrames = 40;

void append_stalls(const std::vector<Stall>& worst_first, const ReportAxis& axis, std::string& out);

}  // namespace jrec
