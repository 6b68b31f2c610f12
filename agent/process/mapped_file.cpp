// SPDX-License-Identifier: Apache-2.0
#include "agent/process/mapped_file.h"

#include <fcntl.h>

#include <algorithm>
#include <map>

#include "agent/process/text_lines.h"
#include "base/descriptor.h"
#include "base/file_io.h"

namespace rec::agent {
namespace {

// Empty: no file, or its code.
std::string_view data_file_of(const MappingLine& mapping) {
  return mapping.name.starts_with('/') && !mapping.has('x') ? mapping.name : std::string_view();
}

std::string read_whole(const char* path) {
  std::string all;
  const base::Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  char piece[16384];
  for (ssize_t size; file && (size = base::read_some(file.fd(), piece, sizeof piece)) > 0;)
    all.append(piece, static_cast<size_t>(size));
  return all;
}

}  // namespace

std::string mapped_file_of(std::span<const uint64_t> addresses, std::string_view maps) {
  std::map<std::string_view, int> found;
  each_line(maps, [&](std::string_view line) {
    MappingLine mapping;
    if (!parse_mapping_line(line, mapping)) return;
    const std::string_view file = data_file_of(mapping);
    const auto is_in_it = [&](uint64_t address) { return address >= mapping.begin && address < mapping.end; };
    const auto count = static_cast<int>(std::ranges::count_if(addresses, is_in_it));
    if (!file.empty() && count > 0) found[file] += count;
  });
  const auto most = std::ranges::max_element(found, {}, [](const auto& each) { return each.second; });
  return most == found.end() ? std::string() : std::string(most->first);
}

std::string mapped_file_of(std::span<const uint64_t> addresses) {
  return mapped_file_of(addresses, read_whole("/proc/self/maps"));
}

}  // namespace rec::agent
