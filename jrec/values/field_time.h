// SPDX-License-Identifier: Apache-2.0
// FieldTime makes times and durations of the integers that stand for them on the wire, in ticks, nanoseconds or
// milliseconds, as the field's annotation says.
#pragma once

#include <cstdint>
#include <string>

#include "format/reader/chunk_header.h"
#include "format/reader/field_nanos.h"
#include "format/reader/metadata.h"
#include "format/reader/values.h"

namespace jrec {

class FieldTime {
 public:
  FieldTime(const jfr::read::Clock& clock, int32_t utc_offset_s) : clock_(clock), utc_offset_s_(utc_offset_s) {}

  // As java.time has it: 2023-11-20T11:22:22.164Z, PT1.5S.
  void append_iso(int64_t value, jfr::read::Meaning meaning, std::string& out) const;
  // For people: 11:22:22.164 (2023-11-20), 1.50 s, Forever, N/A.
  void append_readable(int64_t value, jfr::read::Meaning meaning, std::string& out) const;

  // Nanoseconds: since the epoch, or of a duration. Held at the ends of the range where they do not fit.
  int64_t nanos(int64_t value, jfr::read::Meaning meaning) const { return nanos_of(clock_, value, meaning); }

 private:
  const jfr::read::Clock& clock_;
  int32_t utc_offset_s_;
};

using jfr::read::is_span;
using jfr::read::is_time;
using jfr::read::unsigned_of;

// A char of Java, U+FFFD for half of a surrogate pair.
std::string utf8_of(uint16_t unit);

}  // namespace jrec
