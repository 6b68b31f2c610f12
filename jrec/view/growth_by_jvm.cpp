// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/growth_by_jvm.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "jrec/input/recording_span.h"

namespace jrec {

void GrowthByJvm::look(uint32_t jvm, int64_t at_ns, int64_t count) {
  if (count < 0) return;
  ++looks_;
  Course& course = courses_.try_emplace(jvm, Course{count, count, at_ns, at_ns, 0}).first->second;
  ++course.looks;
  course.least = std::min(course.least, count);
  course.most = std::max(course.most, count);
  course.first_ns = std::min(course.first_ns, at_ns);
  course.last_ns = std::max(course.last_ns, at_ns);
}

double GrowthByJvm::growth() const {
  double sum = 0;
  for (const auto& [jvm, course] : courses_) sum += growth(jvm);
  return sum;
}

double GrowthByJvm::growth(uint32_t jvm) const {
  const auto course = courses_.find(jvm);
  return course == courses_.end()
             ? 0
             : static_cast<double>(course->second.most) - static_cast<double>(course->second.least);
}

bool GrowthByJvm::is_counted(uint32_t jvm) const {
  const auto course = courses_.find(jvm);
  return course != courses_.end() && course->second.looks > 1;
}

int64_t GrowthByJvm::length_ns() const {
  std::vector<TimeRange> times;
  for (const auto& [jvm, course] : courses_) times.push_back({course.first_ns, course.last_ns});
  return covered_ns(std::move(times));
}

}  // namespace jrec
