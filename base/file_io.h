// SPDX-License-Identifier: Apache-2.0
// Reads and writes all that was asked for: the calls of POSIX, begun again when a signal interrupts them, and continued
// when they did less. What fails leaves its reason in errno. Allocates nothing.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace base {

// Makes a call until no signal interrupts it.
template <typename Call>
auto restarting(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// One read, of at most `size` bytes: how many, 0 at the end, -1 for an error. The second from byte `offset` of a file,
// wherever the descriptor stands.
ssize_t read_some(int fd, void* to, size_t size);
ssize_t read_some_at(int fd, void* to, size_t size, uint64_t offset);

// Exactly `size` bytes of a file, or false; it may have ended before (ENODATA).
[[nodiscard]] bool read_all_at(int fd, void* to, size_t size, uint64_t offset);

// All of the bytes, or false; how many of them are written then is not known. A disk that takes nothing is full (ENOSPC).
[[nodiscard]] bool write_all(int fd, const void* bytes, size_t size);
[[nodiscard]] bool write_all_at(int fd, const void* bytes, size_t size, uint64_t offset);

}  // namespace base
