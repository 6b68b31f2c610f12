// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "jrec/base/descriptor.h"

namespace jrec {

std::optional<std::string> read_descriptor(int fd, size_t limit) {
  std::string text;
  char piece[8192];
  while (text.size() < limit) {
    const ssize_t n = ::read(fd, piece, std::min(sizeof piece, limit - text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    text.append(piece, static_cast<size_t>(n));
  }
  return text;
}

std::optional<std::string> read_small_file(int directory, const std::string& path, size_t limit) {
  const Descriptor file(::openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return std::nullopt;
  return read_descriptor(file.get(), limit);
}

std::optional<std::string> read_file_of(uid_t owner, int directory, const std::string& path, size_t limit) {
  const Descriptor file(::openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != owner) return std::nullopt;
  return read_descriptor(file.get(), limit);
}

std::string read_link(const std::string& path) {
  char target[4096];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  return n <= 0 ? std::string() : std::string(target, static_cast<size_t>(n));
}

}  // namespace jrec
