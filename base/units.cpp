// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <charconv>
#include <span>

namespace base {
namespace {

struct Unit {
  std::string_view name;
  int64_t factor;
};

// From the largest to the smallest, for the spelling.
constexpr Unit kTimes[] = {{"d", 86'400'000'000'000},
                           {"h", 3'600'000'000'000},
                           {"m", 60'000'000'000},
                           {"s", 1'000'000'000},
                           {"ms", 1'000'000},
                           {"us", 1'000},
                           {"ns", 1}};
constexpr Unit kSizes[] = {{"g", 1 << 30}, {"m", 1 << 20}, {"k", 1 << 10}};
constexpr int64_t kTera = int64_t{1} << 40;

std::optional<int64_t> times(std::optional<int64_t> number, int64_t factor) {
  int64_t product = 0;
  if (!number || __builtin_mul_overflow(*number, factor, &product)) return std::nullopt;
  return product;
}

size_t digits(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
  return n;
}

std::string spell(int64_t number, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (number != 0 && number % unit.factor == 0) return std::to_string(number / unit.factor) + std::string(unit.name);
  }
  return std::to_string(number);
}

}  // namespace

std::optional<int64_t> parse_count(std::string_view text) {
  if (text.empty() || digits(text) != text.size()) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int64_t> parse_size(std::string_view text) {
  const auto number = parse_count(text.substr(0, digits(text)));
  const std::string_view unit = text.substr(digits(text));
  if (unit.empty()) return number;
  if (unit.size() != 1) return std::nullopt;
  const char letter = static_cast<char>(unit[0] | 0x20);
  for (const Unit& size : kSizes) {
    if (letter == size.name[0]) return times(number, size.factor);
  }
  return std::nullopt;
}

std::optional<int64_t> parse_byte_size(std::string_view text) {
  if (text.ends_with('b') || text.ends_with('B')) text.remove_suffix(1);
  if (!text.ends_with('t') && !text.ends_with('T')) return parse_size(text);
  return times(parse_count(text.substr(0, text.size() - 1)), kTera);
}

std::optional<int64_t> parse_duration(std::string_view text, int64_t bare_unit_ns) {
  const auto number = parse_count(text.substr(0, digits(text)));
  std::string_view unit = text.substr(digits(text));
  if (unit.empty()) return bare_unit_ns == 0 && number != 0 ? std::nullopt : times(number, bare_unit_ns);
  if (unit[0] == ' ') unit.remove_prefix(1);
  for (const Unit& time : kTimes) {
    if (unit == time.name) return times(number, time.factor);
  }
  return std::nullopt;
}

std::string duration_text(int64_t ns) { return spell(ns, kTimes); }
std::string size_text(int64_t bytes) { return spell(bytes, kSizes); }

}  // namespace base
