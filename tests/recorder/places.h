// SPDX-License-Identifier: Apache-2.0
// What tests of files, directories and locks ask the system.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/text.h"

namespace rec::test {

using ::test::has;

inline constexpr uid_t kAnotherUser = 65534;
inline constexpr mode_t kVictimMode = 0640;

struct Umask {
  explicit Umask(mode_t mask) : before(umask(mask)) {}
  ~Umask() { umask(before); }
  const mode_t before;
};

inline struct stat stat_of(const std::string& path) {
  struct stat st {};
  if (lstat(path.c_str(), &st) != 0) st = {};
  return st;
}
inline mode_t mode_of(const std::string& path) { return stat_of(path).st_mode & 07777; }
inline ino_t inode_of(const std::string& path) { return stat_of(path).st_ino; }

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path) << bytes;
  chmod(path.c_str(), kVictimMode);
}
inline std::string read_file(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Names in a directory, sorted.
inline std::vector<std::string> entries(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

// By any other open file, in this process or another.
inline bool is_locked(const std::string& directory) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool free = flock(fd, LOCK_EX | LOCK_NB) == 0;
  close(fd);
  return !free;
}

// Lines for the user. One test at a time.
struct Lines {
  static std::vector<std::string>& all() {
    static std::vector<std::string> lines;
    return lines;
  }
  static void add(const char* line) { all().emplace_back(line); }
  static void clear() { all().clear(); }
};

}  // namespace rec::test
