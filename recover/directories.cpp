// SPDX-License-Identifier: Apache-2.0
#include "recover/directories.h"

#include <algorithm>

#include "recorder/spool/spool.h"
#include "recover/dead_repository.h"
#include "recover/files.h"

namespace rec {
namespace {

bool names_recording(const std::string& name) { return name.ends_with(".jfr") && name[0] != '.'; }

}  // namespace

bool is_spool(const std::string& path) { return Spool::is_name(name_of(path)); }

bool is_spool_directory(const std::string& directory) {
  const std::vector<std::string> names = names_in(directory);
  return std::any_of(names.begin(), names.end(), Spool::is_name);
}

Holds holds_chunks(const std::string& directory) {
  Holds holds = Holds::kNothing;
  for (const std::string& name : names_in(directory)) {
    if (parse_chunk_name(name).ours) return Holds::kOurs;
    if (names_recording(name)) holds = Holds::kForeign;
  }
  return holds;
}

std::vector<std::string> repositories_in(const std::string& directory) {
  std::vector<std::string> found;
  for (const std::string& name : names_in(directory)) {
    const std::string path = directory + "/" + name;
    if (is_directory(path) && !is_spool_directory(path) && holds_chunks(path) != Holds::kNothing) found.push_back(path);
  }
  return found;
}

std::vector<std::string> recordings_in(const std::string& directory) {
  std::vector<std::string> found;
  for (const std::string& name : names_in(directory))
    if (names_recording(name)) found.push_back(directory + "/" + name);
  return found;
}

}  // namespace rec
