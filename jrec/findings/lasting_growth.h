// SPDX-License-Identifier: Apache-2.0
// LastingGrowth is the growth of a number of each JVM, the start left out, that goes on from third to third (ranking.h): of the
// JVM whose number grew most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "jrec/findings/ranking.h"

namespace jrec {

struct LastingGrowth {
  static constexpr size_t kEnoughLooks = 12;

  uint32_t jvm = 0;
  std::vector<Course::Point> points;  // behind the start; empty: no JVM has enough of them
  Thirds thirds;
  size_t most_looks = 0;

  bool is_known() const { return !points.empty(); }
  bool reaches(double threshold) const { return thirds.growth != 0 && thirds.growth >= threshold; }
};
LastingGrowth lasting_growth(const std::map<uint32_t, Course>& by_jvm, double threshold);

}  // namespace jrec
