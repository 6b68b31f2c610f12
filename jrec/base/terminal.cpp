// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace jrec {
namespace {

constexpr size_t kUsualColumns = 100;
constexpr long kMostColumns = 10'000;

// Zeros where there is no terminal.
winsize terminal_size() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

size_t terminal_columns() {
  if (const size_t columns = terminal_size().ws_col; columns != 0) return columns;
  if (const char* columns = std::getenv("COLUMNS")) {
    const long value = std::strtol(columns, nullptr, 10);
    if (value > 0 && value < kMostColumns) return static_cast<size_t>(value);
  }
  return kUsualColumns;
}

size_t terminal_lines() { return terminal_size().ws_row; }

bool terminal_takes_escapes() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace jrec
