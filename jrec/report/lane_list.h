// SPDX-License-Identifier: Apache-2.0
// The series and marks of the overview, declared: of which events, which of their fields. Fields are written as in views (cell_reader.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace jrec {

struct LaneSeries {
  enum class How : uint8_t {
    kValue,   // of the field
    kRate,    // the field counts since a beginning: its growth a second
    kSpread,  // the field is a duration: how many such events there were at a time
  };
  enum class Together : uint8_t { kSum, kMost };  // of several JVMs at a time
  std::string_view lane, title, unit, name;       // unit: share, bytes, count, per second
  std::string_view style;  // area, bar: on top of those before it, a bar nothing where no value is; line
  std::string_view type, field;
  How how = How::kValue;
  Together together = Together::kSum;
};
std::span<const LaneSeries> lane_series();  // series of one lane stand together

struct MarkKind {
  std::string_view kind, title, type;
  std::string_view length;    // the field with the duration; empty: the event's own
  std::string_view words[3];  // fields that say more
};
std::span<const MarkKind> mark_kinds();

}  // namespace jrec
