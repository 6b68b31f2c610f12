// SPDX-License-Identifier: Apache-2.0
// Reads a file of /proc or /etc whole; empty if it cannot be read. Not signal-safe.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace base {

inline std::string read_small_file(const char* path) {
  std::string text;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char piece[4096];
  for (ssize_t n; text.size() < (1u << 20) && (n = read(fd, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<size_t>(n));
  close(fd);
  return text;
}

}  // namespace base
