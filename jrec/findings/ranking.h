// SPDX-License-Identifier: Apache-2.0
// Sums that rules rank by, and values over time, both of bounded size.
//
//   Lengths   how many, how long in all, the longest and when that was
//   Ranking   Lengths by key: a class, a class and a site, ...
//   Course    a value over time, in at most kMost points: when they are full, each two become the lower of them
//
// Sums are doubles: a hostile file cannot overflow them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jrec {

struct Lengths {
  uint64_t count = 0;
  double total = 0, longest = 0;
  int64_t longest_at_ns = 0;          // when the longest began
  int64_t first_ns = 0, last_ns = 0;  // when the first and the last began
  int64_t end_ns = 0;                 // when the one that ended last did, where lengths are ns
  uint64_t looks = 0;                 // of all: looks at virtual threads, whose lengths add up and are none of one wait

  void add(int64_t at_ns, double length, bool is_look = false) {
    constexpr double kMostNs = 1e18;
    const auto ends = static_cast<uint64_t>(at_ns) + static_cast<uint64_t>(std::clamp(length, 0.0, kMostNs));
    add({1, length, length, at_ns, at_ns, at_ns, std::max(at_ns, static_cast<int64_t>(ends)), is_look});
  }
  void add(const Lengths& more) {
    if (more.count == 0) return;
    first_ns = count == 0 ? more.first_ns : std::min(first_ns, more.first_ns);
    last_ns = count == 0 ? more.last_ns : std::max(last_ns, more.last_ns);
    end_ns = count == 0 ? more.end_ns : std::max(end_ns, more.end_ns);
    if (count == 0 || more.longest > longest) longest = more.longest, longest_at_ns = more.longest_at_ns;
    count += more.count;
    total += more.total;
    looks += more.looks;
  }
};

class Ranking {
 public:
  static constexpr size_t kMost = 4096;    // different keys; what comes behind counts in all() alone
  using Key = std::array<std::string, 3>;  // parts that are not needed are empty

  void add(const Key& key, int64_t at_ns, double length, bool is_look = false) {
    all_.add(at_ns, length, is_look);
    const auto place = rows_.find(key);
    if (place != rows_.end())
      place->second.add(at_ns, length, is_look);
    else if (rows_.size() < kMost)
      rows_[key].add(at_ns, length, is_look);
  }

  void add(const Ranking& other) {
    all_.add(other.all_);
    for (const auto& [key, lengths] : other.rows_)
      if (rows_.size() < kMost || rows_.contains(key)) rows_[key].add(lengths);
  }

  const Lengths& all() const { return all_; }
  const std::map<Key, Lengths>& rows() const { return rows_; }
  // By total, the greatest first; by count where totals are equal.
  std::vector<std::pair<Key, Lengths>> largest(size_t most) const {
    std::vector<std::pair<Key, Lengths>> rows(rows_.begin(), rows_.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return a.second.total != b.second.total ? a.second.total > b.second.total : a.second.count > b.second.count;
    });
    if (rows.size() > most) rows.resize(most);
    return rows;
  }

 private:
  std::map<Key, Lengths> rows_;
  Lengths all_;
};

class Course {
 public:
  static constexpr size_t kMost = 4096;
  struct Point {
    int64_t at_ns = 0;
    double value = 0;
  };

  void add(int64_t at_ns, double value) {
    if (points_.size() == kMost) halve();
    points_.push_back({at_ns, value});
  }
  // In the order of time, whatever that of the file.
  std::vector<Point> in_order() const {
    std::vector<Point> points = points_;
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.at_ns < b.at_ns; });
    return points;
  }

 private:
  void halve() {
    points_ = in_order();
    for (size_t i = 0; i < kMost / 2; ++i)
      points_[i] = std::min(points_[2 * i], points_[2 * i + 1],
                            [](const Point& a, const Point& b) { return a.value < b.value; });
    points_.resize(kMost / 2);
  }

  std::vector<Point> points_;
};

// Of points in the order of time: the lowest value in each third, and by how many percent the last of these is above the
// first. 0: it does not go on growing.
//
// What a program fills once, a cache, a pool, grows and then stays. What leaks grows from the second third to the last as well:
// by kStillGrows percent, or a quarter of `threshold`, if that is less. At one speed a growth by 20 % in all has 9 % there.
struct Thirds {
  static constexpr double kStillGrows = 5;
  std::array<double, 3> lowest{};
  double growth = 0;
};
inline Thirds thirds_of(const std::vector<Course::Point>& points, double threshold) {
  Thirds thirds;
  const size_t count = points.size();
  if (count < 3) return thirds;
  for (size_t third = 0; third < 3; ++third) {
    const auto from = points.begin() + static_cast<ptrdiff_t>(third * count / 3);
    const auto to = points.begin() + static_cast<ptrdiff_t>((third + 1) * count / 3);
    thirds.lowest[third] = std::ranges::min_element(from, to, {}, &Course::Point::value)->value;
  }
  const auto& low = thirds.lowest;
  const double least = std::min(Thirds::kStillGrows, threshold / 4);
  if (low[0] > 0 && low[1] > low[0] && low[2] > low[1] && (low[2] / low[1] - 1) * 100 >= least)
    thirds.growth = (low[2] / low[0] - 1) * 100;
  return thirds;
}

}  // namespace jrec
