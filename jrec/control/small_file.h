// SPDX-License-Identifier: Apache-2.0
// Reads files of other processes that are small by nature, /proc's above all, and never more of them than a limit.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>

namespace jrec {

inline constexpr size_t kSmallFile = 1u << 20;

// From where the descriptor stands to the end, at most `limit` bytes. Nothing when a read fails.
std::optional<std::string> read_descriptor(int fd, size_t limit);

// The path is taken from `directory` (AT_FDCWD: as it is). Does not wait for a pipe that nobody writes.
std::optional<std::string> read_small_file(int directory, const std::string& path, size_t limit = kSmallFile);

// The same for a file that somebody else may have put there: only a regular file that is `owner`'s, no symbolic link.
std::optional<std::string> read_file_of(uid_t owner, int directory, const std::string& path, size_t limit = kSmallFile);

// What a symbolic link says; empty when there is none to read.
std::string read_link(const std::string& path);

}  // namespace jrec
