// SPDX-License-Identifier: Apache-2.0
#include "recover/work_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "recover/files.h"

namespace rec {
namespace {

using base::Descriptor;

constexpr std::string_view kPrefix = ".recovering-";
constexpr int kTries = 10;

// None: it is not ours.
Descriptor opened(const std::string& path) {
  Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat st {};
  if (directory && (fstat(directory.fd(), &st) != 0 || st.st_uid != geteuid())) directory.reset();
  return directory;
}

bool lock(const Descriptor& directory) { return flock(directory.fd(), LOCK_EX | LOCK_NB) == 0; }

void remove_with_content(const std::string& path) {
  for (const std::string& name : names_in(path)) unlink((path + "/" + name).c_str());
  rmdir(path.c_str());
}

void remove_left(const std::string& parent) {
  for (const std::string& name : names_in(parent)) {
    if (!name.starts_with(kPrefix)) continue;
    const Descriptor directory = opened(parent + "/" + name);
    if (directory && lock(directory)) remove_with_content(parent + "/" + name);
  }
}

}  // namespace

// One that another recovery takes for left, between its making and its lock, is made again. A file system without locks has none.
Result<WorkDirectory> WorkDirectory::beside(const std::string& target) {
  remove_left(parent_of(target));
  for (int i = 0; i < kTries; ++i) {
    std::string path = parent_of(target) + "/" + std::string(kPrefix) + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr) break;
    Descriptor directory = opened(path);
    const bool is_taken = !directory || (!lock(directory) && errno == EWOULDBLOCK);
    if (!is_taken && access(path.c_str(), F_OK) == 0) return WorkDirectory(std::move(path), std::move(directory));
  }
  return base::system_error("cannot make", target);
}

WorkDirectory::~WorkDirectory() {
  if (!path_.empty()) remove_with_content(path_);
}

}  // namespace rec
