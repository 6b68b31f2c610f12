// SPDX-License-Identifier: Apache-2.0
// LaneCourse is what a lane tells of one JVM over time, or of several together.
//
//   one JVM's memory     100 ----- 120 ----- 110 |              recorded up to the bar
//   another's                 | 40 ------ 60                     told once it is there
//   together             140   160   ...                         what both lines show where one of them tells something
#pragma once

#include <cstdint>
#include <map>

#include "jrec/report/lane_list.h"

namespace jrec {

// What was told in one bucket of the axis.
struct LaneExtent {
  double low = 0, high = 0;
  int64_t last_ns = 0;
  double last = 0;

  // Where the line enters the bucket, as the page draws it: the nearer of least and most to the last value comes last.
  double first() const { return last - low < high - last ? high : low; }
};
using LaneCourse = std::map<uint32_t, LaneExtent>;  // by bucket

struct LaneSpan {  // buckets
  uint32_t from = 0, to = 0;
};

// Of numbers that are counted: their growth a second, from the last value of a bucket to that of the next.
LaneCourse rates_of(const LaneCourse& counts);

// Of several JVMs, by their numbers. Between its values each has what its own line shows, and as long as it is recorded in
// front of the first and behind the last.
LaneCourse together(const std::map<uint32_t, LaneCourse>& by_jvm, const std::map<uint32_t, LaneSpan>& recorded,
                    LaneSeries::Together how);

}  // namespace jrec
