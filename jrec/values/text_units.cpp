// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/text_units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

constexpr int64_t kFarthest_s = INT64_MAX - 86400;

// The fewest digits that tell the value from its neighbours, and zeros up to the point: 1.15292150460684704e17 has 16.
std::string shortest_digits(double value) {
  char text[400];
  std::string digits(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr);
  if (digits.find('.') != std::string::npos) return digits;
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const auto count =
      static_cast<size_t>(std::count_if(text, std::find(text, end, 'e'), [](char c) { return c != '.'; }));
  for (size_t i = count; i < digits.size(); ++i) digits[i] = '0';
  std::copy_if(text, std::find(text, end, 'e'), digits.begin(), [](char c) { return c != '.'; });
  return digits + '.';
}

// With `decimals` digits behind the point, rounded half up as the decimal number that stands for the value is written:
// 0.345 becomes 0.35, whatever its bits say.
void append_rounded(double value, size_t decimals, std::string& out) {
  std::string digits = shortest_digits(std::fabs(value));
  digits.append(decimals + 1, '0');
  const size_t last = digits.find('.') + decimals;
  bool carry = digits[last + 1] >= '5';
  digits.resize(last + 1);
  for (size_t i = digits.size(); carry && i-- > 0;) {
    if (digits[i] == '.') continue;
    carry = digits[i] == '9';
    digits[i] = carry ? '0' : static_cast<char>(digits[i] + 1);
  }
  if (std::signbit(value) && digits.find_first_of("123456789") != std::string::npos) out += '-';
  if (carry) out += '1';
  out += digits;
}

void append_scaled(Whole value, std::initializer_list<std::string_view> units, std::string& out) {
  constexpr double kStep = 1024;
  auto unit = units.begin();
  double scaled = static_cast<double>(value);
  while (std::fabs(scaled) >= kStep && unit + 1 != units.end()) scaled /= kStep, ++unit;
  append_rounded(scaled, 1, out);
  out += ' ';
  out += *unit;
}

struct Span {
  int64_t seconds;
  int64_t nanos;
};

// To the nearest step; never further than the clock of a long can hold.
Span rounded(Span span, int64_t step_s, int64_t step_ns) {
  if (step_s != 0) {
    if (span.seconds > kFarthest_s) return span;
    const int64_t half_s = step_s / 2, half_ns = step_s % 2 * kNanosPerSecond / 2;
    span.seconds += half_s + (span.nanos + half_ns) / kNanosPerSecond;
    return {span.seconds - span.seconds % step_s, 0};
  }
  span.nanos += step_ns / 2;
  span.nanos -= span.nanos % step_ns;
  return {span.seconds + span.nanos / kNanosPerSecond, span.nanos % kNanosPerSecond};
}

Span rounded(Span span) {
  if (span.seconds >= 86400) return rounded(span, 3600, 0);
  if (span.seconds >= 3600) return rounded(span, 60, 0);
  if (span.seconds >= 60) return rounded(span, 1, 0);
  if (span.seconds >= 10) return rounded(span, 0, 100'000'000);
  if (span.seconds >= 1) return rounded(span, 0, 10'000'000);
  int64_t step = 1;
  for (int64_t size = span.nanos; size >= 1000; size /= 10) step *= 10;
  return rounded(span, 0, step);
}

// Three digits that count, but none beyond a nanosecond.
void append_milliseconds(int64_t nanos, std::string& out) {
  int decimals = 6;
  for (int64_t size = nanos; size >= 1000 && decimals > 0; size /= 10) --decimals;
  append_format(out, "{:.{}f} ms", static_cast<double>(nanos) / 1e6, decimals);
}

template <typename Real>
void append_real(Real value, std::string& out) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
    return;
  }
  const double size = std::fabs(static_cast<double>(value));
  const bool plain = size == 0 || (size >= 1e-3 && size < 1e7);
  char text[64];
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const char* end = std::to_chars(text, text + sizeof text, value, format).ptr;
  const bool has_point = std::find(std::as_const(text), end, '.') != end;
  // Two digits at least, and the nearest of these: 4.9E-324, which 5E-324 stands for as well.
  if (!plain && !has_point) end = std::to_chars(text, text + sizeof text, value, format, 1).ptr;
  std::string_view digits(text, static_cast<size_t>(end - text));
  const size_t exponent_at = digits.find('e');
  const std::string_view mantissa = digits.substr(0, exponent_at);
  out += mantissa;
  if (mantissa.find('.') == std::string_view::npos) out += ".0";
  if (exponent_at == std::string_view::npos) return;
  std::string_view exponent = digits.substr(exponent_at + 1);
  out += 'E';
  if (exponent.front() == '-') out += '-';
  exponent.remove_prefix(exponent.find_first_of("123456789"));
  out += exponent;
}

}  // namespace

void append_span(int64_t seconds, int32_t nanos, std::string& out) {
  if (seconds < 0) {
    out += '-';
    seconds = -(seconds + 1);
    nanos = static_cast<int32_t>(kNanosPerSecond - nanos);
    if (nanos == kNanosPerSecond) seconds += seconds != INT64_MAX, nanos = 0;
  }
  const Span span = rounded(Span{seconds, nanos});
  const int64_t minutes = span.seconds / 60, hours = minutes / 60, days = hours / 24;
  if (span.seconds == 0 && span.nanos == 0)
    out += "0 s";
  else if (days != 0)
    append_format(out, "{} d {} h", days, hours % 24);
  else if (hours != 0)
    append_format(out, "{} h {} m", hours, minutes % 60);
  else if (minutes != 0)
    append_format(out, "{} m {} s", minutes, span.seconds % 60);
  else if (span.seconds >= 10)
    append_format(out, "{}.{} s", span.seconds, span.nanos / 100'000'000);
  else if (span.seconds != 0)
    append_format(out, "{}.{:02} s", span.seconds, span.nanos / 10'000'000);
  else
    append_milliseconds(span.nanos, out);
}

void append_bytes(Whole bytes, bool per_second, std::string& out) {
  const bool one = per_second || bytes == 1 || bytes == -1;
  if (bytes > -1024 && bytes < 1024)
    append_format(out, "{} {}", bytes, one ? "byte" : "bytes");
  else
    append_scaled(bytes, {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"}, out);
  if (per_second) out += "/s";
}

void append_bits(Whole bits, bool per_second, std::string& out) {
  const bool one = bits == 1 || bits == -1;
  if (bits > -1024 && bits < 1024)
    append_format(out, "{} {}", bits, per_second ? "bps" : one ? "bit" : "bits");
  else if (per_second)
    append_scaled(bits, {"bps", "kbps", "Mbps", "Gbps", "Tbps", "Pbps", "Ebps"}, out);
  else
    append_scaled(bits, {"bits", "kbit", "Mbit", "Gbit", "Tbit", "Pbit", "Ebit"}, out);
}

void append_percent(double share, std::string& out) {
  const double percent = share * 100;
  if (std::isfinite(percent))
    append_rounded(percent, 2, out);
  else
    append_java_real(percent, out);
  out += '%';
}

void append_clock_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out) {
  std::string iso;
  append_time(unix_s, 0, utc_offset_s, iso);
  const size_t t = iso.find('T');
  std::string_view clock(iso);
  clock = clock.substr(t + 1, clock.find_first_of("Z+-", t) - t - 1);
  append_format(out, "{}.{:03} ({})", clock, nanos / 1'000'000, std::string_view(iso).substr(0, t));
}

void append_java_real(float value, std::string& out) { append_real(value, out); }
void append_java_real(double value, std::string& out) { append_real(value, out); }

}  // namespace jrec
