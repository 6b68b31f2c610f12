// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/columns.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace jrec {
namespace {

constexpr size_t kUsualColumns = 100;
constexpr long kMostColumns = 10'000;
constexpr size_t kNarrowestName = 20;

bool begins_character(char unit) { return (unit & 0xc0) != 0x80; }

}  // namespace

size_t terminal_columns() {
  if (winsize size{}; ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS")) {
    const long value = std::strtol(columns, nullptr, 10);
    if (value > 0 && value < kMostColumns) return static_cast<size_t>(value);
  }
  return kUsualColumns;
}

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
