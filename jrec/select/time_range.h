// SPDX-License-Identifier: Apache-2.0
// TimeRange is what --from and --to mean. A moment is written as
//
//   1500, 1500ms, 90s, 5m, 2h     behind the start of the recording; a bare number is milliseconds
//   -10s, -1500                   before its end
//   1700479342164                 a bare number of more than twenty years: milliseconds since the Unix epoch
//   11:22, 11:22:22.5             time of day in the recording's time zone: the first such moment that is not over when
//                                 the recording starts, on its first day if there is none in it
//   2023-11-20T11:22:22.5-05:00   ISO 8601; without offset in the recording's time zone; the time may be left out
//
// The range holds events that start in [from, to).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "format/result.h"

namespace jrec {

struct RecordingSpan {
  int64_t start_ns = 0;  // since the epoch
  int64_t end_ns = 0;
  int32_t utc_offset_s = 0;  // of the first chunk
};

// From the headers of all chunks, and the metadata of the first.
RecordingSpan span_of(std::span<const uint8_t> file);

// Nanoseconds since the epoch; kUsage when the words mean no moment.
jfr::Result<int64_t> parse_moment(std::string_view words, const RecordingSpan& recording);
// ISO 8601 only, nothing when it is none.
std::optional<int64_t> parse_iso(std::string_view words, int32_t utc_offset_s);
// 12, 1.5s, 200ms as nanoseconds, `bare` for a number without a unit; nothing when it is none.
std::optional<double> parse_span(std::string_view words, double bare);

struct TimeRange {
  int64_t from_ns = std::numeric_limits<int64_t>::min();
  int64_t to_ns = std::numeric_limits<int64_t>::max();

  bool everything() const { return *this == TimeRange(); }
  bool holds(int64_t at_ns) const { return at_ns >= from_ns && (at_ns < to_ns || TimeRange().to_ns == to_ns); }
  bool operator==(const TimeRange&) const = default;
};

// Empty words leave an end open.
jfr::Result<TimeRange> parse_time_range(std::string_view from, std::string_view to, std::span<const uint8_t> file);

}  // namespace jrec
