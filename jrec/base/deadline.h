// SPDX-License-Identifier: Apache-2.0
// A Deadline is the moment by which a command has its answer or gives up. It counts on the monotonic clock.
#pragma once

#include <algorithm>
#include <chrono>

namespace jrec {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(std::chrono::milliseconds limit) : end_(Clock::now() + limit) {}

  bool over() const { return Clock::now() >= end_; }

  // For poll(): never negative, rounded up, so that a wait of this length ends behind the deadline.
  int left_ms() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  }

 private:
  Clock::time_point end_;
};

}  // namespace jrec
