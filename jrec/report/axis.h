// SPDX-License-Identifier: Apache-2.0
// ReportAxis is the one axis of time that all lanes of a report share: kBuckets of equal length at most, of whole milliseconds. They are four times
// what a wide window has room for: the page draws several as one, and those alone when one zooms in.
#pragma once

#include <algorithm>
#include <cstdint>

#include "jrec/input/recording_span.h"

namespace jrec {

struct ReportAxis {
  static constexpr uint64_t kBuckets = 3600;
  static constexpr uint64_t kMillisecond = 1'000'000;

  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t bucket_ns = kMillisecond;

  // Of what is chosen of a recording.
  static ReportAxis of(const RecordingSpan& span, const TimeRange& range) {
    const int64_t from_ns = std::max(span.start_ns, range.from_ns), to_ns = std::min(span.end_ns, range.to_ns);
    const uint64_t duration_ns = to_ns > from_ns ? static_cast<uint64_t>(to_ns) - static_cast<uint64_t>(from_ns) : 0;
    return {from_ns, duration_ns, (duration_ns / kBuckets / kMillisecond + 1) * kMillisecond};
  }
  TimeRange range() const {
    const auto end_ns = static_cast<int64_t>(static_cast<uint64_t>(start_ns) + duration_ns);
    return {start_ns, end_ns == INT64_MAX ? end_ns : end_ns + 1};
  }
  uint32_t buckets() const { return static_cast<uint32_t>(duration_ns / bucket_ns) + 1; }
  // Since the start; times outside of the axis are held at its ends.
  uint64_t since_ns(int64_t time_ns) const {
    if (time_ns <= start_ns) return 0;
    return std::min(static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(start_ns), duration_ns);
  }
  double since_ms(int64_t time_ns) const { return static_cast<double>(since_ns(time_ns)) / kMillisecond; }
  uint32_t bucket_of(int64_t time_ns) const { return static_cast<uint32_t>(since_ns(time_ns) / bucket_ns); }
  bool holds(int64_t time_ns) const {
    return time_ns >= start_ns && static_cast<uint64_t>(time_ns) - static_cast<uint64_t>(start_ns) <= duration_ns;
  }
};

}  // namespace jrec
