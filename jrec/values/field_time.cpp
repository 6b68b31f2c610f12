// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/field_time.h"

#include <limits>

#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Kind;
using jfr::read::Meaning;

constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

int64_t per_second(Meaning meaning) {
  switch (meaning) {
    case Meaning::kTimestampMillis:
    case Meaning::kTimespanMillis: return 1'000;
    case Meaning::kTimespanMicros: return 1'000'000;
    case Meaning::kTimespanSeconds: return 1;
    default: return kNanosPerSecond;
  }
}

}  // namespace

FieldTime::Instant FieldTime::instant(int64_t value, Meaning meaning) const {
  if (meaning == Meaning::kTimestampTicks) value = clock_.unix_ns(value);
  if (meaning == Meaning::kTimespanTicks) value = clock_.span_ns(value);
  const int64_t units = per_second(meaning);
  return {floor_div(value, units), static_cast<int32_t>(floor_mod(value, units) * (kNanosPerSecond / units))};
}

void FieldTime::append_iso(int64_t value, Meaning meaning, std::string& out) const {
  const Instant at = instant(value, meaning);
  if (is_time(meaning))
    value == kNever ? void(out += kTimeNeverSet) : append_time(at.seconds, at.nanos, utc_offset_s_, out);
  else if (value == kNever)
    append_duration(kNever, 0, out);
  else if (value == kForever)
    append_duration(kForever, 999'999'999, out);
  else
    append_duration(at.seconds, at.nanos, out);
}

void FieldTime::append_readable(int64_t value, Meaning meaning, std::string& out) const {
  if (value == kNever) {
    out += "N/A";
    return;
  }
  const Instant at = instant(value, meaning);
  if (is_time(meaning))
    append_clock_time(at.seconds, at.nanos, utc_offset_s_, out);
  else if (value == kForever)
    out += "Forever";
  else
    append_span(at.seconds, at.nanos, out);
}

int64_t FieldTime::nanos(int64_t value, Meaning meaning) const {
  if (value == kNever || value == kForever) return value;
  const Instant at = instant(value, meaning);
  int64_t whole = 0, sum = 0;
  if (__builtin_mul_overflow(at.seconds, kNanosPerSecond, &whole) || __builtin_add_overflow(whole, at.nanos, &sum))
    return at.seconds < 0 ? kNever : kForever;
  return sum;
}

uint64_t unsigned_of(int64_t value, Kind kind) {
  switch (kind) {
    case Kind::kByte: return static_cast<uint8_t>(value);
    case Kind::kShort: return static_cast<uint16_t>(value);
    case Kind::kInt: return static_cast<uint32_t>(value);
    default: return static_cast<uint64_t>(value);
  }
}

std::string utf8_of(uint16_t unit) {
  if (unit >= 0xd800 && unit < 0xe000) return "\xef\xbf\xbd";
  std::string text;
  if (unit < 0x80) return text += static_cast<char>(unit);
  if (unit < 0x800)
    text += static_cast<char>(0xc0 | unit >> 6);
  else
    (text += static_cast<char>(0xe0 | unit >> 12)) += static_cast<char>(0x80 | (unit >> 6 & 0x3f));
  return text += static_cast<char>(0x80 | (unit & 0x3f));
}

}  // namespace jrec
