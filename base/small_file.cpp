// SPDX-License-Identifier: Apache-2.0
#include "base/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/descriptor.h"
#include "base/file_io.h"

namespace base {
namespace {

constexpr int kReadOnly = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

}  // namespace

std::optional<std::string> read_rest(int fd, size_t limit) {
  std::string text;
  char piece[8192];
  while (text.size() < limit) {
    const ssize_t n = read_some(fd, piece, std::min(sizeof piece, limit - text.size()));
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    text.append(piece, static_cast<size_t>(n));
  }
  return text;
}

std::optional<std::string> read_small_file(const std::string& path, size_t limit) {
  return read_small_file(AT_FDCWD, path, limit);
}

std::optional<std::string> read_small_file(int directory, const std::string& path, size_t limit) {
  const Descriptor file(::openat(directory, path.c_str(), kReadOnly));
  if (!file) return std::nullopt;
  return read_rest(file.fd(), limit);
}

std::optional<std::string> read_file_of(uid_t owner, int directory, const std::string& path, size_t limit) {
  const Descriptor file(::openat(directory, path.c_str(), kReadOnly | O_NOFOLLOW));
  struct stat status {};
  if (!file || ::fstat(file.fd(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != owner) return std::nullopt;
  return read_rest(file.fd(), limit);
}

std::string read_link(const std::string& path) {
  char target[4096];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  return n <= 0 ? std::string() : std::string(target, static_cast<size_t>(n));
}

}  // namespace base
