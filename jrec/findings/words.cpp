// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "jrec/view/cell.h"

namespace jrec {
namespace {

constexpr double kMostNumber = 9e18;  // what a long holds

int64_t whole_of(double value) { return std::llround(std::clamp(value, -kMostNumber, kMostNumber)); }

}  // namespace

std::string percent_words(double percent) {
  return percent < 10 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string time_words(double ns) { return show(Cell::of(whole_of(ns), Content::kSpan), 0); }

std::string size_words(double bytes) { return show(Cell::of(whole_of(bytes), Content::kBytes), 0); }

std::string rate_words(double per_second) {
  return per_second < 10 ? fmt::format("{:.1f}", per_second) : count_words(per_second);
}

std::string count_words(double count) { return show(Cell::of(whole_of(count)), 0); }

std::string times_words(uint64_t count) {
  if (count == 1) return "once";
  return count == 2 ? "twice" : show(Cell::of(count), 0) + " times";
}

std::string too_few(uint64_t count, std::string_view what, uint64_t needed) {
  if (count == 0) return fmt::format("there are no {}", what);
  return fmt::format("{}: {}, and this needs {}", what, show(Cell::of(count), 0), needed);
}

std::string worth_too_little(uint64_t count, double draws, std::string_view what, uint64_t needed) {
  return fmt::format("{}: {}, worth {} of one weight, and this needs {}", what, show(Cell::of(count), 0),
                     show(Cell::of(whole_of(draws)), 0), needed);
}

std::string exactly(std::string_view name) {
  std::string pattern = "^";
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       static_cast<unsigned char>(c) >= 0x80;
    if (!plain) pattern += '\\';
    pattern += c;
  }
  return pattern + '$';
}

}  // namespace jrec
