// SPDX-License-Identifier: Apache-2.0
// SpanClip takes of what lasts (waits, spans of the wall clock) the part that is in a chosen time, whenever it begins:
//
//   chosen                 [===========================)
//   event          |-- 10 s, weight 500 --|                 5 s, weight 250
//
// Weights are whole numbers. What one is short of goes to the next, so that a sum is right within one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "jrec/input/recording_span.h"

namespace jrec {

class SpanClip {
 public:
  SpanClip() = default;  // takes everything as it is
  explicit SpanClip(const TimeRange& chosen) : chosen_(chosen), clips_(!chosen.everything()) {}

  bool clips() const { return clips_; }

  // False: nothing of it is in that time. What has no length is in it or not.
  bool take(int64_t& time_ns, uint64_t& length_ns, uint64_t& weight) {
    if (length_ns == 0) return chosen_.holds(time_ns);
    int64_t end_ns = 0;
    if (__builtin_add_overflow(time_ns, length_ns, &end_ns)) end_ns = INT64_MAX;
    const TimeRange part = TimeRange{time_ns, end_ns}.both(chosen_);
    if (part.to_ns <= part.from_ns) return false;
    const uint64_t kept_ns = static_cast<uint64_t>(part.to_ns) - static_cast<uint64_t>(part.from_ns);
    if (kept_ns < length_ns) {
      owed_ += static_cast<double>(weight) * static_cast<double>(kept_ns) / static_cast<double>(length_ns);
      weight = static_cast<uint64_t>(owed_);
      owed_ -= static_cast<double>(weight);
    }
    time_ns = part.from_ns;
    length_ns = kept_ns;
    return true;
  }

 private:
  TimeRange chosen_;
  bool clips_ = false;
  double owed_ = 0.5;
};

}  // namespace jrec
