// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/growth_by_jvm.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace jrec {

void GrowthByJvm::look(uint32_t jvm, int64_t at_ns, int64_t count) {
  if (count < 0) return;
  ++looks_;
  Course& course = courses_.try_emplace(jvm, Course{count, count, at_ns, at_ns}).first->second;
  course.least = std::min(course.least, count);
  course.most = std::max(course.most, count);
  course.first_ns = std::min(course.first_ns, at_ns);
  course.last_ns = std::max(course.last_ns, at_ns);
}

double GrowthByJvm::growth() const {
  double sum = 0;
  for (const auto& [jvm, course] : courses_)
    sum += static_cast<double>(course.most) - static_cast<double>(course.least);
  return sum;
}

int64_t GrowthByJvm::length_ns() const {
  std::vector<std::pair<int64_t, int64_t>> times;
  for (const auto& [jvm, course] : courses_) times.emplace_back(course.first_ns, course.last_ns);
  std::ranges::sort(times);
  int64_t length = 0, told = INT64_MIN;
  for (const auto& [first, last] : times) {
    const int64_t from = std::max(first, told);
    if (last > from) length += last - from;
    told = std::max(told, last);
  }
  return length;
}

}  // namespace jrec
