// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/columns.h"

#include <algorithm>

#include "base/utf8.h"
#include "jrec/base/terminal.h"

namespace jrec {
namespace {

constexpr size_t kNarrowestName = 20;

struct Range {
  uint32_t first, last;
};
// First and last of each.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2329, 0x232a},  {0x2e80, 0x303e},   {0x3040, 0xa4cf},
                           {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},
                           {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff},
                           {0x20000, 0x2fffd}, {0x30000, 0x3fffd}};

// The character there, and its columns; of what is no UTF-8, a byte.
struct Placed {
  size_t bytes = 1, columns = 1;
};
Placed placed_at(std::string_view text) {
  const size_t length = base::utf8_length(text);
  if (length <= 1) return {};
  const uint32_t point = base::utf8_point(text.substr(0, length));
  const bool is_wide =
      std::ranges::any_of(kWide, [&](Range range) { return point >= range.first && point <= range.last; });
  return {length, is_wide ? size_t{2} : size_t{1}};
}

}  // namespace

size_t text_width(std::string_view utf8) {
  size_t width = 0;
  while (!utf8.empty()) {
    const Placed next = placed_at(utf8);
    width += next.columns;
    utf8.remove_prefix(next.bytes);
  }
  return width;
}

std::string_view first_columns(std::string_view utf8, size_t width) {
  size_t at = 0;
  while (at < utf8.size()) {
    const Placed next = placed_at(utf8.substr(at));
    if (next.columns > width) break;
    width -= next.columns;
    at += next.bytes;
  }
  return utf8.substr(0, at);
}

std::string_view last_columns(std::string_view utf8, size_t width) {
  for (size_t excess = text_width(utf8); excess > width;) {
    const Placed next = placed_at(utf8);
    excess -= next.columns;
    utf8.remove_prefix(next.bytes);
  }
  return utf8;
}

std::string last_part(std::string name, size_t width) {
  if (text_width(name) <= width) return name;
  return "..." + std::string(last_columns(name, width - 3));
}

namespace {

// Where a line that is too wide is broken: at the last blank that is in the width, or the first behind it. npos: nowhere.
size_t break_of(std::string_view line, size_t width) {
  const size_t word = std::min(line.find_first_not_of(' '), line.size());
  const size_t last = line.rfind(' ', first_columns(line, width).size());
  return last != std::string_view::npos && last > word ? last : line.find(' ', word);
}

void append_wrapped_line(std::string line, size_t width, size_t hang, std::string& out) {
  while (text_width(line) > width) {
    const size_t at = break_of(line, width), next = line.find_first_not_of(' ', at);
    if (at == std::string::npos || next == std::string::npos) break;
    out += line.substr(0, line.find_last_not_of(' ', at) + 1) + '\n';
    line = std::string(line.starts_with(' ') ? hang : 0, ' ') + line.substr(next);
  }
  out += line;
}

}  // namespace

std::string wrapped(std::string_view text, size_t width, size_t hang) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    append_wrapped_line(std::string(text.substr(0, end)), width, hang, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

size_t room_for_name(size_t width, size_t numbers) {
  if (width == 0) width = terminal_columns();
  return std::max(kNarrowestName, width > numbers ? width - numbers : 0);
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace jrec
