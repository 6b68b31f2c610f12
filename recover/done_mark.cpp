// SPDX-License-Identifier: Apache-2.0
#include "recover/done_mark.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>

#include "recover/files.h"

namespace rec {
namespace {

std::string mark_of(const std::string& directory, uint32_t pid) {
  return directory + "/" + std::string(kDoneMark) + std::to_string(pid);
}

std::string identity_of(const struct stat& file) {
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino) + ":";
}

// Whoever finishes it may stand in another directory.
std::string absolute(const std::string& path) {
  std::array<char, PATH_MAX> whole{};
  if (realpath(parent_of(path).c_str(), whole.data()) == nullptr) return path;
  return std::string(whole.data()) + "/" + name_of(path);
}

bool is_file(const std::string& path, const std::string& identity) {
  struct stat st {};
  return lstat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) && identity_of(st) == identity;
}

}  // namespace

bool set_done_mark(const std::string& directory, uint32_t pid, int file, const std::string& recording) {
  struct stat st {};
  if (fstat(file, &st) != 0) return false;
  const std::string mark = mark_of(directory, pid), identity = identity_of(st);
  unlink(mark.c_str());  // of a recovery whose recording never got its name
  return symlink((identity + absolute(recording)).c_str(), mark.c_str()) == 0 ||
         symlink(identity.c_str(), mark.c_str()) == 0;  // a short one needs no block of the disk
}

std::optional<std::string> done_recording(const std::string& directory, uint32_t pid,
                                          const std::vector<std::string>& others) {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = readlink(mark_of(directory, pid).c_str(), text.data(), text.size());
  if (size <= 0) return std::nullopt;
  const std::string mark(text.data(), static_cast<size_t>(size));
  const size_t first = mark.find(':'), second = first == std::string::npos ? first : mark.find(':', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const std::string identity = mark.substr(0, second + 1), path = mark.substr(second + 1);
  if (!path.empty() && is_file(path, identity)) return path;
  for (const std::string& other : others)
    if (is_file(other, identity)) return other;
  return std::nullopt;
}

void clear_done_marks(const std::string& directory) {
  for (const std::string& name : names_in(directory))
    if (name.starts_with(kDoneMark)) unlink((directory + "/" + name).c_str());
}

}  // namespace rec
