// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/columns.h"

#include <algorithm>

#include "jrec/base/terminal.h"

namespace jrec {
namespace {

constexpr size_t kNarrowestName = 20;

}  // namespace

size_t text_width(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), begins_character));
}

std::string last_part(std::string name, size_t width) {
  size_t excess = text_width(name);
  if (excess <= width) return name;
  excess -= width - 3;
  size_t at = 0;
  while (excess > 0 && at < name.size()) {
    ++at;
    while (at < name.size() && !begins_character(name[at])) ++at;
    --excess;
  }
  return "..." + name.substr(at);
}

size_t room_for_name(size_t width, size_t numbers) {
  if (width == 0) width = terminal_columns();
  return std::max(kNarrowestName, width > numbers ? width - numbers : 0);
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace jrec
