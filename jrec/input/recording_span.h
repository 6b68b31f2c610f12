// SPDX-License-Identifier: Apache-2.0
// From when to when a recording is, and which part of that is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/reader/mapped_file.h"

namespace jrec {

struct RecordingSpan {
  int64_t start_ns = 0;  // since the epoch
  int64_t end_ns = 0;
  int32_t utc_offset_s = 0;  // of the first chunk

  bool operator==(const RecordingSpan&) const = default;
};

// From the headers of all chunks, and the metadata of the first. The kernel maps what lies around a header too, so each chunk is
// let go of once its header is read: memory does not grow with the number of chunks.
RecordingSpan span_of(const jfr::read::MappedFile& file);

// Events that start in [from, to).
struct TimeRange {
  int64_t from_ns = std::numeric_limits<int64_t>::min();
  int64_t to_ns = std::numeric_limits<int64_t>::max();

  bool everything() const { return *this == TimeRange(); }
  bool holds(int64_t at_ns) const { return at_ns >= from_ns && (at_ns < to_ns || TimeRange().to_ns == to_ns); }
  // Whether some moment of [first, last] is in it.
  bool meets(int64_t first_ns, int64_t last_ns) const {
    return last_ns >= from_ns && (first_ns < to_ns || TimeRange().to_ns == to_ns);
  }
  // What is in both; nothing where they do not meet.
  TimeRange both(const TimeRange& other) const {
    const int64_t from = from_ns > other.from_ns ? from_ns : other.from_ns,
                  to = to_ns < other.to_ns ? to_ns : other.to_ns;
    return {from, to > from ? to : from};
  }
  bool operator==(const TimeRange&) const = default;
};

// How much of these times lies within another, each moment once: several recordings may lie years apart, or side by side.
int64_t covered_ns(std::vector<TimeRange> times, const TimeRange& within = {});

// Which events are asked for, as far as that is known before one is read.
struct TimeChoice {
  // Which range, found out as soon as the recording's span is known: words may count from its end. Empty: all of it,
  // and nobody needs to know the span.
  std::function<base::Result<TimeRange>(const RecordingSpan&)> choose;
  // Of which types; the others may be there or not. Empty: of all.
  std::function<bool(std::string_view type)> wants;

  bool chooses() const { return choose != nullptr; }
};

}  // namespace jrec
