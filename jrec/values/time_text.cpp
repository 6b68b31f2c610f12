// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/time_text.h"

#include "jrec/base/append_format.h"

namespace jrec {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr int32_t kLargestOffset_s = 18 * 3600;

struct Date {
  int64_t year;
  int month;
  int day;
};

// Proleptic Gregorian calendar. Years are counted from March, so that the leap day is the last one.
Date date_of(int64_t days_since_1970) {
  constexpr int64_t kDaysPerEra = 146'097;         // 400 years
  const int64_t days = days_since_1970 + 719'468;  // since 0000-03-01
  const int64_t era = floor_div(days, kDaysPerEra);
  const int64_t day_of_era = days - era * kDaysPerEra;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;  // 0 is March
  const auto day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  const auto civil = static_cast<int>(month < 10 ? month + 3 : month - 9);
  return {year_of_era + era * 400 + (civil <= 2 ? 1 : 0), civil, day};
}

void append_two(int64_t value, std::string& out) {
  out += static_cast<char>('0' + value / 10);
  out += static_cast<char>('0' + value % 10);
}

void append_year(int64_t year, std::string& out) {
  if (year > 9999) out += '+';
  if (year < 0) out += '-';
  append_format(out, "{:04}", year < 0 ? -year : year);
}

void append_offset(int32_t offset_s, std::string& out) {
  if (offset_s == 0) {
    out += 'Z';
    return;
  }
  const int32_t size = offset_s < 0 ? -offset_s : offset_s;
  out += offset_s < 0 ? '-' : '+';
  append_two(size / 3600, out);
  out += ':';
  append_two(size / 60 % 60, out);
  if (size % 60 == 0) return;
  out += ':';
  append_two(size % 60, out);
}

void append_fraction(int32_t nanos, std::string& out) {
  if (nanos == 0) return;
  if (nanos % 1'000'000 == 0)
    append_format(out, ".{:03}", nanos / 1'000'000);
  else if (nanos % 1'000 == 0)
    append_format(out, ".{:06}", nanos / 1'000);
  else
    append_format(out, ".{:09}", nanos);
}

void append_iso_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, bool with_seconds, std::string& out) {
  const int64_t days = floor_div(unix_s, kSecondsPerDay);
  // Day and second are shifted apart: unix_s may be near the end of its range.
  int64_t second = floor_mod(unix_s, kSecondsPerDay) + utc_offset_s;
  const int64_t carry = floor_div(second, kSecondsPerDay);
  second -= carry * kSecondsPerDay;
  const Date date = date_of(days + carry);
  append_year(date.year, out);
  out += '-';
  append_two(date.month, out);
  out += '-';
  append_two(date.day, out);
  out += 'T';
  append_two(second / 3600, out);
  out += ':';
  append_two(second / 60 % 60, out);
  if (with_seconds) {
    out += ':';
    append_two(second % 60, out);
    append_fraction(nanos, out);
  }
  append_offset(utc_offset_s, out);
}

}  // namespace

int32_t checked_utc_offset_s(int64_t offset_ms) {
  const int64_t seconds = offset_ms / 1000;
  return seconds < -kLargestOffset_s || seconds > kLargestOffset_s ? 0 : static_cast<int32_t>(seconds);
}

void append_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out) {
  append_iso_time(unix_s, nanos, utc_offset_s, true, out);
}

void append_java_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out) {
  append_iso_time(unix_s, nanos, utc_offset_s, nanos != 0 || (unix_s % 60 + utc_offset_s) % 60 != 0, out);
}

void append_time_ns(int64_t unix_ns, int32_t utc_offset_s, std::string& out) {
  append_time(floor_div(unix_ns, kNanosPerSecond), static_cast<int32_t>(floor_mod(unix_ns, kNanosPerSecond)),
              utc_offset_s, out);
}

void append_duration(int64_t seconds, int32_t nanos, std::string& out) {
  if (seconds == 0 && nanos == 0) {
    out += "PT0S";
    return;
  }
  // Printed towards zero: -0.5 s is held as -1 s and 500,000,000 ns.
  const bool borrowed = seconds < 0 && nanos > 0;
  const int64_t whole = borrowed ? seconds + 1 : seconds;
  const int64_t hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  const int64_t fraction = borrowed ? kNanosPerSecond - nanos : nanos;
  out += "PT";
  if (hours != 0) append_format(out, "{}H", hours);
  if (minutes != 0) append_format(out, "{}M", minutes);
  if (rest == 0 && fraction == 0) return;
  if (borrowed && rest == 0)
    out += "-0";
  else
    append_format(out, "{}", rest);
  if (fraction != 0) {
    append_format(out, ".{:09}", fraction);
    out.resize(out.find_last_not_of('0') + 1);
  }
  out += 'S';
}

void append_duration_ns(int64_t ns, std::string& out) {
  append_duration(floor_div(ns, kNanosPerSecond), static_cast<int32_t>(floor_mod(ns, kNanosPerSecond)), out);
}

}  // namespace jrec
