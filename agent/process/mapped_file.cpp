// SPDX-License-Identifier: Apache-2.0
#include "agent/process/mapped_file.h"

#include <algorithm>
#include <map>

#include "base/text_lines.h"

namespace rec::agent {
namespace {

// Empty: no file, or its code.
std::string_view data_file_of(const base::MappingLine& mapping) {
  return mapping.name.starts_with('/') && !mapping.has('x') ? mapping.name : std::string_view();
}

}  // namespace

std::string mapped_file_of(std::span<const uint64_t> addresses, std::string_view maps) {
  std::map<std::string_view, int> found;
  base::each_line(maps, [&](std::string_view line) {
    base::MappingLine mapping;
    if (!base::parse_mapping_line(line, mapping)) return;
    const std::string_view file = data_file_of(mapping);
    const auto is_in_it = [&](uint64_t address) { return mapping.holds(address); };
    const auto count = static_cast<int>(std::ranges::count_if(addresses, is_in_it));
    if (!file.empty() && count > 0) found[file] += count;
  });
  const auto most = std::ranges::max_element(found, {}, [](const auto& each) { return each.second; });
  return most == found.end() ? std::string() : std::string(most->first);
}

std::string mapped_file_of(std::span<const uint64_t> addresses) {
  return mapped_file_of(addresses, base::read_own_mappings());
}

}  // namespace rec::agent
