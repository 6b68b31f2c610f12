// SPDX-License-Identifier: Apache-2.0
#include "recover/spool_places.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/small_file.h"
#include "recorder/spool/header_edit.h"
#include "recorder/spool/spool.h"
#include "recover/files.h"

namespace rec {
namespace {

std::optional<SpoolHome> home_in(const std::string& spool) {
  const auto bytes = base::read_file_of(geteuid(), AT_FDCWD, spool, kSpoolHeaderBytes);
  if (!bytes || bytes->size() < sizeof(SpoolHeader)) return std::nullopt;
  alignas(SpoolHeader) std::array<char, sizeof(SpoolHeader)> copy;
  std::memcpy(copy.data(), bytes->data(), copy.size());
  const auto& header = *reinterpret_cast<const SpoolHeader*>(copy.data());
  if (header.magic != kSpoolMagic || header.version != kSpoolVersion || !facts_are_intact(header)) return std::nullopt;
  return home_in(header);
}

}  // namespace

std::vector<std::string> spool_places(const std::vector<std::string>& more) {
  std::vector<std::string> wished = more;
  wished.push_back("/dev/shm");
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) wished.push_back(runtime);
  wished.push_back("/run/user/" + std::to_string(geteuid()));
  wished.push_back("/tmp");
  std::vector<std::string> places;
  for (const std::string& place : wished) {
    const auto same = [&](const std::string& known) { return same_file(known, place); };
    if (!place.empty() && std::none_of(places.begin(), places.end(), same)) places.push_back(place);
  }
  return places;
}

std::vector<std::string> spool_directories(const std::vector<std::string>& places, Whose whose) {
  std::vector<std::string> found;
  for (const std::string& place : places)
    for (const std::string& name : names_in(place)) {
      const std::string path = place + "/" + name;
      if (!name.starts_with("rec-") || pid_of(path) == 0 || !is_directory(path)) continue;
      if (ours_alone(path) == (whose == Whose::kOurs)) found.push_back(path);
    }
  return found;
}

uint32_t pid_of(const std::string& spool_directory) {
  const std::string name = name_of(spool_directory);
  if (!name.starts_with("rec-")) return 0;
  char* end = nullptr;
  const unsigned long pid = std::strtoul(name.c_str() + 4, &end, 10);
  return *end == '-' && pid <= INT32_MAX ? static_cast<uint32_t>(pid) : 0;
}

SpoolHome home_of(const std::string& spool_directory) {
  for (const std::string& name : names_in(spool_directory))
    if (Spool::is_name(name))
      if (const auto home = home_in(spool_directory + "/" + name)) return *home;
  return {"", {identity_in_name(spool_directory)}};
}

Kin kin_of_spools(const std::string& spool_directory, const Identity& repository) {
  const std::string named = identity_in_name(spool_directory);
  if (!named.empty() && !repository.id.empty() && named != repository.id) return Kin::kNone;
  return kin_of(home_of(spool_directory).identity, repository);
}

std::string find_repository(const SpoolHome& home) {
  if (!home.path.starts_with('/')) return {};
  const auto is_home = [&](const std::string& path) {
    return kin_of(home.identity, read_identity(path)) == Kin::kSame;
  };
  if (is_home(home.path)) return home.path;
  const std::string parent = parent_of(home.path), renamed = name_of(home.path) + ".dead-";
  for (const std::string& name : names_in(parent))
    if (name.starts_with(renamed) && is_home(parent + "/" + name)) return parent + "/" + name;
  return {};
}

}  // namespace rec
