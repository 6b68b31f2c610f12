// SPDX-License-Identifier: Apache-2.0
#include "base/text_lines.h"

#include <charconv>

#include "base/small_file.h"

namespace base {
namespace {

constexpr size_t kMostMappings = 64u << 20;  // bytes of the text

// What stands behind one word and the spaces after it.
std::string_view behind_word(std::string_view text) {
  text.remove_prefix(std::min(text.find(' '), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// Reads a number and the letter behind it. False: they are not there.
bool take_number(std::string_view& text, uint64_t& number, char behind, int base = 16) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || at == end || *at != behind) return false;
  text.remove_prefix(static_cast<size_t>(at - text.data()) + 1);
  return true;
}

}  // namespace

bool GroupLine::names(std::string_view controller) const {
  for (std::string_view rest = controllers; !rest.empty();) {
    const std::string_view each = rest.substr(0, rest.find(','));
    if (each == controller) return true;
    rest.remove_prefix(std::min(each.size() + 1, rest.size()));
  }
  return false;
}

bool parse_group_line(std::string_view line, GroupLine& parsed) {
  const size_t first = line.find(':'), second = first == line.npos ? first : line.find(':', first + 1);
  if (second == line.npos) return false;
  parsed = {line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  return true;
}

bool parse_mapping_line(std::string_view line, MappingLine& parsed) {
  constexpr size_t kRights = 4;
  constexpr int kDecimal = 10;
  if (!take_number(line, parsed.begin, '-') || !take_number(line, parsed.end, ' ')) return false;
  parsed.rights = line.substr(0, kRights);
  line = behind_word(behind_word(line));  // the offset, too
  uint64_t major = 0, minor = 0;
  std::string_view file = line;
  const bool has_file =
      take_number(file, major, ':') && take_number(file, minor, ' ') && take_number(file, parsed.inode, ' ', kDecimal);
  parsed.device = major << 32 | minor;
  if (!has_file) parsed.device = parsed.inode = 0;
  parsed.name = behind_word(behind_word(line));
  return true;
}

std::string read_own_mappings() { return read_small_file("/proc/self/maps", kMostMappings).value_or(std::string()); }

}  // namespace base
