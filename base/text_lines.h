// SPDX-License-Identifier: Apache-2.0
// Lines of the kernel's text files, and two kinds of them that several readers share. Whatever the text is, no more than
// it is read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace base {

// Calls visit(line) for each, without the line's end.
template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Of /proc/self/cgroup: "4:cpu,cpuacct:/group" of version 1, "0::/group" of version 2, which has no controllers here.
struct GroupLine {
  std::string_view controllers, group;
  bool names(std::string_view controller) const;
};
bool parse_group_line(std::string_view line, GroupLine& parsed);  // false: it is none

// Of /proc/self/maps and smaps: "7f00a000-7f00b000 r--s 00000000 08:01 1234    /data/file".
struct MappingLine {
  uint64_t begin = 0, end = 0;
  std::string_view rights;         // four letters
  uint64_t device = 0, inode = 0;  // of the file, as the kernel counts: major << 32 | minor; 0: none is mapped
  std::string_view name;           // empty: it has none
  bool holds(uint64_t address) const { return address >= begin && address < end; }
  bool has(char right) const { return rights.find(right) != std::string_view::npos; }
};
bool parse_mapping_line(std::string_view line, MappingLine& parsed);  // false: it begins no mapping

// /proc/self/maps as it is now, whatever its size; empty: it cannot be read.
std::string read_own_mappings();

}  // namespace base
