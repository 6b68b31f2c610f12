// SPDX-License-Identifier: Apache-2.0
#include "agent/process/key_values.h"

#include <algorithm>
#include <charconv>

namespace rec::agent {
namespace {

constexpr std::string_view kBetween = " \t:=";

// The rest of the line that begins with the key; nothing: there is none.
std::string_view behind(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.size() > key.size() && line.starts_with(key) && kBetween.find(line[key.size()]) != kBetween.npos)
      return line.substr(key.size());
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

int64_t parsed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return kNotTold;
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr int64_t kKilo = 1024;
  if (!unit.starts_with(" kB")) return number;
  return times(number, kKilo);
}

}  // namespace

int64_t number_of(std::string_view text, std::string_view key) { return parsed(behind(text, key)); }

int64_t lone_number(std::string_view text) { return parsed(text.substr(0, text.find('\n'))); }

int64_t number_in_line(std::string_view text, std::string_view line, std::string_view key) {
  std::string_view rest = behind(text, line);
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
      return parsed(word.substr(key.size()));
    rest.remove_prefix(word.size());
  }
  return kNotTold;
}

}  // namespace rec::agent
