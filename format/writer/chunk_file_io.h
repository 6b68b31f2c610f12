// SPDX-License-Identifier: Apache-2.0
// The system calls by which a chunk gets to disk: the only place in the writing half that knows POSIX.
//
// Every function restarts after EINTR, goes on after a short write, and returns an Error that names the file and errno.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace jfr {

base::Result<int> create_private_file(
    const std::string& path);  // 0600; fails if anything is there, a dangling link too
base::Status write_at(int fd, std::span<const uint8_t> bytes, uint64_t offset, const std::string& path);

// Gives the file its size and its blocks, so that no later write in it can find the disk full. A file system that
// cannot allocate ahead, or has less room than that, gives the size alone: then the writes tell how far it goes.
base::Status allocate(int fd, uint64_t size, const std::string& path);
base::Status cut(int fd, uint64_t size, const std::string& path);
void give_back_blocks(int fd, uint64_t from, uint64_t to);  // they read as zeros then; the size stays; best effort

// Copies the first `size` bytes, inside the kernel, or by sharing blocks, where the file system can.
base::Status copy_start(int from, int to, uint64_t size, const std::string& to_path);
base::Status sync_data(int fd, const std::string& path);

base::Status rename_to_new(const std::string& from, const std::string& to);  // fails if `to` exists
base::Status rename_over(const std::string& from, const std::string& to);    // replaces `to` at one instant

}  // namespace jfr
