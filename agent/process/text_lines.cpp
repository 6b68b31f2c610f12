// SPDX-License-Identifier: Apache-2.0
#include "agent/process/text_lines.h"

#include <charconv>

namespace rec::agent {
namespace {

// What stands behind one word and the spaces after it.
std::string_view behind_word(std::string_view text) {
  text.remove_prefix(std::min(text.find(' '), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// Reads a number and the letter behind it. False: they are not there.
bool take_hex(std::string_view& text, uint64_t& number, char behind) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, 16);
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
  constexpr int kWordsBeforeName = 4;  // rights, offset, device, inode
  if (!take_hex(line, parsed.begin, '-') || !take_hex(line, parsed.end, ' ')) return false;
  parsed.rights = line.substr(0, kRights);
  for (int word = 0; word < kWordsBeforeName; ++word) line = behind_word(line);
  parsed.name = line;
  return true;
}

}  // namespace rec::agent
