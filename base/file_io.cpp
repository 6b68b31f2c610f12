// SPDX-License-Identifier: Apache-2.0
#include "base/file_io.h"

#include <unistd.h>

namespace base {
namespace {

// write(done, left) writes some of the bytes behind the first `done`.
template <typename Write>
bool write_on(size_t size, Write write) {
  for (size_t done = 0; done < size;) {
    const ssize_t n = restarting([&] { return write(done, size - done); });
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

ssize_t read_some(int fd, void* to, size_t size) {
  return restarting([&] { return ::read(fd, to, size); });
}

ssize_t read_some_at(int fd, void* to, size_t size, uint64_t offset) {
  return restarting([&] { return ::pread(fd, to, size, static_cast<off_t>(offset)); });
}

bool read_all_at(int fd, void* to, size_t size, uint64_t offset) {
  auto* const at = static_cast<char*>(to);
  for (size_t done = 0; done < size;) {
    const ssize_t n = read_some_at(fd, at + done, size - done, offset + done);
    if (n == 0) errno = ENODATA;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool write_all(int fd, const void* bytes, size_t size) {
  const auto* const from = static_cast<const char*>(bytes);
  return write_on(size, [&](size_t done, size_t left) { return ::write(fd, from + done, left); });
}

bool write_all_at(int fd, const void* bytes, size_t size, uint64_t offset) {
  const auto* const from = static_cast<const char*>(bytes);
  return write_on(size, [&](size_t done, size_t left) {
    return ::pwrite(fd, from + done, left, static_cast<off_t>(offset + done));
  });
}

}  // namespace base
