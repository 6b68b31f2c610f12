// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/lane_course.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace jrec {
namespace {

constexpr double kNanos = 1e9;

// What the course's line shows there.
LaneExtent extent_at(const LaneCourse& course, uint32_t bucket) {
  const auto next = course.lower_bound(bucket);
  if (next != course.end() && next->first == bucket) return next->second;
  double value = 0;
  if (next == course.begin())
    value = next->second.first();
  else if (next == course.end())
    value = std::prev(next)->second.last;
  else {
    const auto& [from, before] = *std::prev(next);
    const double part = static_cast<double>(bucket - from) / static_cast<double>(next->first - from);
    value = before.last + (next->second.first() - before.last) * part;
  }
  return {value, value, 0, value};
}

void join(LaneExtent& all, const LaneExtent& one, bool sums) {
  const auto put = [sums](double& to, double value) { to = sums ? to + value : std::max(to, value); };
  put(all.low, one.low);
  put(all.high, one.high);
  put(all.last, one.last);
}

}  // namespace

LaneCourse rates_of(const LaneCourse& counts) {
  LaneCourse rates;
  const LaneExtent* before = nullptr;
  for (const auto& [bucket, extent] : counts) {
    if (before != nullptr && extent.last_ns > before->last_ns && extent.last >= before->last) {
      const double rate = (extent.last - before->last) * kNanos / static_cast<double>(extent.last_ns - before->last_ns);
      rates[bucket] = {rate, rate, 0, rate};
    }
    before = &extent;
  }
  return rates;
}

LaneCourse together(const std::map<uint32_t, LaneCourse>& by_jvm, const std::map<uint32_t, LaneSpan>& recorded,
                    LaneSeries::Together how) {
  if (by_jvm.size() == 1) return by_jvm.begin()->second;
  std::set<uint32_t> told;
  for (const auto& [jvm, course] : by_jvm) {
    if (course.empty()) continue;
    for (const auto& [bucket, extent] : course) told.insert(bucket);
    told.insert({recorded.at(jvm).from, recorded.at(jvm).to});
  }
  const bool sums = how == LaneSeries::Together::kSum;
  LaneCourse all;
  for (const auto& [jvm, course] : by_jvm) {
    if (course.empty()) continue;
    const LaneSpan& span = recorded.at(jvm);
    const auto end = told.upper_bound(std::max(span.to, course.rbegin()->first));
    for (auto bucket = told.lower_bound(std::min(span.from, course.begin()->first)); bucket != end; ++bucket)
      join(all[*bucket], extent_at(course, *bucket), sums);
  }
  return all;
}

}  // namespace jrec
