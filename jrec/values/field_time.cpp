// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/field_time.h"

#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Instant;
using jfr::read::instant_of;
using jfr::read::kForever;
using jfr::read::kNever;
using jfr::read::Meaning;

}  // namespace

void FieldTime::append_iso(int64_t value, Meaning meaning, std::string& out) const {
  const Instant at = instant_of(clock_, value, meaning);
  if (is_time(meaning))
    value == kNever ? void(out += kTimeNeverSet) : append_java_time(at.seconds, at.nanos, utc_offset_s_, out);
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
  const Instant at = instant_of(clock_, value, meaning);
  if (is_time(meaning))
    append_clock_time(at.seconds, at.nanos, utc_offset_s_, out);
  else if (value == kForever)
    out += "Forever";
  else
    append_span(at.seconds, at.nanos, out);
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
