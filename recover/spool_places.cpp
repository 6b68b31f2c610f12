// SPDX-License-Identifier: Apache-2.0
#include "recover/spool_places.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/small_file.h"
#include "recorder/spool/spool.h"
#include "recover/dead_repository.h"
#include "recover/files.h"

namespace rec {
namespace {

// Where an agent kept its chunks, by the name that the directory has now.
std::string name_before_death(const std::string& directory) {
  std::unique_ptr<char, decltype(&std::free)> real(realpath(directory.c_str(), nullptr), std::free);
  const std::string path = real ? real.get() : directory;
  return path.substr(0, path.rfind(".dead-"));
}

bool holds_chunks_of(const LeftoverSpools& spools, const std::string& directory) {
  if (!is_directory(directory)) return false;
  if (!spools.chunk().empty()) return access((directory + "/" + spools.chunk()).c_str(), F_OK) == 0;
  for (const std::string& name : names_in(directory))
    if (const ChunkName chunk = parse_chunk_name(name); chunk.ours && chunk.pid == spools.pid()) return true;
  return false;
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

std::vector<std::string> spool_directories(const std::vector<std::string>& places) {
  std::vector<std::string> found;
  for (const std::string& place : places)
    for (const std::string& name : names_in(place)) {
      const std::string path = place + "/" + name;
      if (name.starts_with("rec-") && pid_of(path) != 0 && ours_alone(path)) found.push_back(path);
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

Home find_home(const LeftoverSpools& spools) {
  const std::string& said = spools.repository();
  if (said.empty() || said[0] != '/') return {Home::State::kUnseen, said};
  if (holds_chunks_of(spools, said)) return {Home::State::kFound, said};
  const std::string parent = parent_of(said), renamed = name_of(said) + ".dead-";
  for (const std::string& name : names_in(parent))
    if (name.starts_with(renamed) && holds_chunks_of(spools, parent + "/" + name))
      return {Home::State::kFound, parent + "/" + name};
  return {access(parent.c_str(), R_OK | X_OK) == 0 ? Home::State::kGone : Home::State::kUnseen, said};
}

bool says_home(const std::string& spool_directory, const std::string& directory) {
  const std::string text = '\0' + name_before_death(directory) + '\0';
  for (const std::string& name : names_in(spool_directory)) {
    if (!Spool::is_name(name)) continue;
    const auto head = base::read_file_of(geteuid(), AT_FDCWD, spool_directory + "/" + name, kSpoolHeaderBytes);
    if (head && head->find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace rec
