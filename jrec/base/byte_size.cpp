// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/byte_size.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace jrec {

std::optional<uint64_t> parse_byte_size(std::string_view text) {
  static constexpr std::pair<std::string_view, int> kUnits[] = {
      {"", 0}, {"b", 0}, {"k", 10}, {"kb", 10}, {"m", 20}, {"mb", 20}, {"g", 30}, {"gb", 30}, {"t", 40}, {"tb", 40}};
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  for (const auto& [name, shift] : kUnits) {
    const bool same = unit.size() == name.size() && std::equal(unit.begin(), unit.end(), name.begin(),
                                                               [](char a, char b) { return (a | 0x20) == b; });
    if (same && number <= UINT64_MAX >> shift) return number << shift;
  }
  return std::nullopt;
}

}  // namespace jrec
