// SPDX-License-Identifier: Apache-2.0
// Reads files that are small by nature, those of /proc and /etc above all, and never more of them than a limit.
// Nothing, when a file cannot be opened or read. Not signal-safe: allocates.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>

namespace base {

inline constexpr size_t kSmallFile = 1u << 20;

// From where the descriptor stands to the end, at most `limit` bytes.
std::optional<std::string> read_rest(int fd, size_t limit);

// Does not wait for a pipe that nobody writes. The second takes the path from `directory`.
std::optional<std::string> read_small_file(const std::string& path, size_t limit = kSmallFile);
std::optional<std::string> read_small_file(int directory, const std::string& path, size_t limit = kSmallFile);

// The same for a file that somebody else may have put there: only a regular file that is `owner`'s, no symbolic link.
std::optional<std::string> read_file_of(uid_t owner, int directory, const std::string& path, size_t limit = kSmallFile);

// What a symbolic link says; empty when there is none to read.
std::string read_link(const std::string& path);

}  // namespace base
