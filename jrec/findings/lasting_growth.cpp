// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/lasting_growth.h"

#include <algorithm>
#include <utility>

namespace jrec {

LastingGrowth lasting_growth(const std::map<uint32_t, Course>& by_jvm, double threshold) {
  LastingGrowth most;
  for (const auto& [jvm, course] : by_jvm) {
    std::vector<Course::Point> points = course.in_order();
    most.most_looks = std::max(most.most_looks, points.size());
    if (points.size() < LastingGrowth::kEnoughLooks) continue;
    points.erase(points.begin(), points.begin() + static_cast<ptrdiff_t>(points.size() / 4));
    const Thirds grown = thirds_of(points, threshold);
    if (most.is_known() && grown.growth <= most.thirds.growth) continue;
    most.jvm = jvm, most.thirds = grown, most.points = std::move(points);
  }
  return most;
}

}  // namespace jrec
