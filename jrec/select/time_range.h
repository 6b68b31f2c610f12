// SPDX-License-Identifier: Apache-2.0
// TimeRange is what --from and --to mean. A moment is written as
//
//   1500, 1500ms, 90s, 5m, 2h     behind the start of the recording; a bare number is milliseconds
//   -10s, -1500                   before its end
//   1700479342164                 a bare number of more than twenty years: milliseconds since the Unix epoch
//   11:22, 11:22:22.5Z            time of day in the recording's time zone, or with an offset: the first such moment in the recording, or the
//                                 nearest to it of the first day and the next; as an end, behind what is its beginning
//   2023-11-20T11:22:22.5-05:00   ISO 8601; without offset in the recording's time zone; the time may be left out
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "jrec/input/recording_span.h"

namespace jrec {

// Nanoseconds since the epoch; kUsage when the words mean no moment.
base::Result<int64_t> parse_moment(std::string_view words, const RecordingSpan& recording);
// ISO 8601 only, nothing when it is none.
std::optional<int64_t> parse_iso(std::string_view words, int32_t utc_offset_s);
// A bare number of more than twenty years: milliseconds since the Unix epoch. Nothing when it is another, or none.
std::optional<int64_t> parse_epoch_millis(std::string_view words);
// 12, 1.5s, 200ms as nanoseconds, `bare` for a number without a unit; nothing when it is none.
std::optional<double> parse_span(std::string_view words, double bare);

// What the words choose of a recording; empty ones leave an end open, and nothing to choose when both are.
TimeChoice time_choice(std::string from, std::string to);

}  // namespace jrec
