// SPDX-License-Identifier: Apache-2.0
// Times and durations out of the integers that stand for them on the wire: in ticks, nanoseconds or milliseconds, as
// the field's annotation says (Meaning).
#pragma once

#include <cstdint>
#include <limits>

#include "format/reader/chunk_header.h"
#include "format/reader/metadata.h"

namespace jfr::read {

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::min();    // of a time or duration: it was not set
inline constexpr int64_t kForever = std::numeric_limits<int64_t>::max();  // of a duration: it has no end

inline bool is_time(Meaning meaning) {
  return meaning == Meaning::kTimestampTicks || meaning == Meaning::kTimestampMillis;
}
inline bool is_span(Meaning meaning) { return meaning >= Meaning::kTimespanTicks; }

// Seconds since the Unix epoch, or of a duration; nanos are never negative.
struct Instant {
  int64_t seconds;
  int32_t nanos;
};
Instant instant_of(const Clock& clock, int64_t value, Meaning meaning);

// The same in nanoseconds. Held at the ends of the range where they do not fit.
int64_t nanos_of(const Clock& clock, int64_t value, Meaning meaning);

}  // namespace jfr::read
