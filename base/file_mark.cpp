// SPDX-License-Identifier: Apache-2.0
#include "base/file_mark.h"

#include <sys/stat.h>

#include <cerrno>

namespace base {
namespace {

bool is_mark_of(const FileMark& mark, const struct stat& st) {
  return st.st_dev == mark.device && st.st_ino == mark.inode;
}

}  // namespace

FileMark FileMark::of(int fd) {
  struct stat st {};
  if (fstat(fd, &st) != 0) return {};
  return {st.st_dev, st.st_ino};
}

bool FileMark::is_of(int fd) const {
  struct stat st {};
  if (fd < 0) return false;
  return fstat(fd, &st) == 0 ? is_mark_of(*this, st) : errno != EBADF;
}

bool FileMark::is_at(const char* path) const {
  struct stat st {};
  return lstat(path, &st) == 0 ? is_mark_of(*this, st) : errno == EACCES;
}

}  // namespace base
