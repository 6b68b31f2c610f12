// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/cell.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

constexpr int64_t kSecond_ns = 1'000'000'000;

// 1,234,567
void append_grouped(Whole number, std::string& out) {
  const std::string digits = fmt::format("{}", number);
  const size_t sign = number < 0 ? 1 : 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
}

void append_clock(int64_t unix_ns, int32_t utc_offset_s, std::string& out) {
  std::string whole;
  append_clock_time(floor_div(unix_ns, kSecond_ns), static_cast<int32_t>(floor_mod(unix_ns, kSecond_ns)), utc_offset_s,
                    whole);
  out += whole.substr(0, whole.find(' '));
}

void append_nanos(int64_t nanos, std::string& out) {
  if (nanos == INT64_MAX)
    out += "Indefinite";
  else
    append_span(floor_div(nanos, kSecond_ns), static_cast<int32_t>(floor_mod(nanos, kSecond_ns)), out);
}

void append_integer(const Cell& cell, int32_t utc_offset_s, std::string& out) {
  const Whole number = cell.integer;
  switch (cell.content) {
    case Content::kFlag: out += number != 0 ? "true" : "false"; return;
    case Content::kTime: return append_clock(held_in_long(number), utc_offset_s, out);
    case Content::kSpan: return append_nanos(held_in_long(number), out);
    case Content::kBytes: return append_bytes(number, false, out);
    case Content::kBytesPerSecond: return append_bytes(number, true, out);
    case Content::kBits: return append_bits(number, false, out);
    case Content::kBitsPerSecond: return append_bits(number, true, out);
    case Content::kAddress: append_format(out, "0x{:08X}", static_cast<uint64_t>(number)); return;
    case Content::kHertz: append_grouped(number, out), out += " Hz"; return;
    case Content::kShare: return append_percent(static_cast<double>(number), out);
    case Content::kPlain:
    case Content::kCode: return append_grouped(number, out);
  }
}

// 20, 0.05, and of long fractions two digits, of small ones the first two that count.
void append_fraction(double real, std::string& out) {
  const std::string shortest = fmt::format("{}", real);
  const bool small = real != 0 && std::fabs(real) < 0.01;
  out += shortest.size() <= 8 ? shortest : small ? fmt::format("{:.2g}", real) : fmt::format("{:.2f}", real);
}

constexpr double kWholeHertz = 1e6;  // and above: nobody looks for a fraction

void append_real(const Cell& cell, int32_t utc_offset_s, std::string& out) {
  if (cell.content == Content::kShare && std::isnan(cell.real)) return void(out += "N/A");
  if (cell.content == Content::kShare) return append_percent(cell.real, out);
  if (!std::isfinite(cell.real)) return append_java_real(cell.real, out);
  const bool fraction_counts = cell.content == Content::kHertz && std::fabs(cell.real) < kWholeHertz;
  if (fraction_counts && cell.real != std::trunc(cell.real)) return append_fraction(cell.real, out), void(out += " Hz");
  if (cell.content != Content::kPlain && std::fabs(cell.real) < 9e18)
    return append_integer(Cell::of(std::llround(cell.real), cell.content), utc_offset_s, out);
  append_fraction(cell.real, out);
}

}  // namespace

Cell Cell::of(Whole value, Content content) { return {Kind::kInteger, content, value, 0, {}}; }
Cell Cell::of_real(double value, Content content) { return {Kind::kReal, content, 0, value, {}}; }
Cell Cell::of_text(std::string text, Content content) { return {Kind::kText, content, 0, 0, std::move(text)}; }

bool Cell::operator<(const Cell& other) const {
  const auto rank = [](const Cell& cell) { return cell.null() ? 0 : cell.number() ? 1 : 2; };
  if (rank(*this) != rank(other)) return rank(*this) < rank(other);
  if (kind == Kind::kInteger && other.kind == Kind::kInteger) return integer < other.integer;
  if (!number()) return text < other.text;
  // A number that is none goes before those that are: an order must be one.
  const WideReal a = as_real(), b = other.as_real();
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return a < b;
}

std::string Cell::identity() const {
  std::string bytes(1, static_cast<char>(kind));
  if (kind == Kind::kText) return bytes + fmt::format("{} ", integer) + text;
  if (kind == Kind::kInteger) append_format(bytes, "{}", integer);
  if (kind == Kind::kReal) append_format(bytes, "{:a}", real);
  return bytes;
}

std::string show(const Cell& cell, int32_t utc_offset_s) {
  std::string out;
  switch (cell.kind) {
    case Cell::Kind::kNull: return "N/A";
    case Cell::Kind::kInteger: append_integer(cell, utc_offset_s, out); break;
    case Cell::Kind::kReal: append_real(cell, utc_offset_s, out); break;
    case Cell::Kind::kText: append_plain(cell.text, out); break;
  }
  return out;
}

void show_json(const Cell& cell, int32_t utc_offset_s, std::string& out) {
  if (cell.null() || (cell.kind == Cell::Kind::kReal && !std::isfinite(cell.real))) {
    out += "null";
  } else if (cell.kind == Cell::Kind::kText) {
    append_json_string(cell.text, out);
  } else if (cell.kind == Cell::Kind::kReal) {
    append_format(out, "{}", cell.real);
  } else if (cell.content == Content::kTime) {
    out += '"';
    append_time_ns(held_in_long(cell.integer), utc_offset_s, out);
    out += '"';
  } else if (cell.content == Content::kFlag) {
    out += cell.integer != 0 ? "true" : "false";
  } else if (cell.content == Content::kAddress) {
    append_format(out, "{}", static_cast<uint64_t>(cell.integer));
  } else {
    append_format(out, "{}", cell.integer);
  }
}

}  // namespace jrec
