// SPDX-License-Identifier: Apache-2.0
// MappedFile is the bytes of a whole file, read only, for as long as it lives.
//
// The size is taken once, when the file is opened: bytes that are appended later are not seen. A regular file is
// mapped; anything else (a pipe, /dev/stdin), a file of at most kReadWholeSize bytes, and a chunk that rec is still writing (open_chunk.h), at
// most 240 MiB, is read into memory. Whoever
// cuts a mapped file shorter while it is read raises SIGBUS in the reader: finished recordings are never cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace jfr::read {

class MappedFile {
 public:
  // Reading is cheaper than mapping up to here.
  static constexpr size_t kReadWholeSize = 64 * 1024;
  // What is read from a pipe at most: it has to be held in memory.
  static constexpr size_t kMaxPipeSize = size_t{4} << 30;

  // "-" is standard input.
  static base::Result<MappedFile> open(const std::string& path);
  // What is open for reading under `fd`, which stays the caller's and may be closed afterwards. Of a regular file all,
  // wherever the descriptor stands.
  static base::Result<MappedFile> of(int fd);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::span<const uint8_t> bytes() const { return bytes_; }

  // Few places of it will be read, here and there: nothing is read ahead, but what will_need() names.
  void read_at_random() const;

  // These bytes are done with: their pages need not stay in memory. Reading them again is allowed, and costs more.
  void let_go(uint64_t offset, uint64_t size) const;

 private:
  MappedFile() = default;
  base::Status read_all(int fd, bool file, size_t limit);
  // The file, or what it was at one instant if it is being written.
  static base::Result<MappedFile> settled(MappedFile&& file, int fd);

  std::span<const uint8_t> bytes_;
  std::vector<uint8_t> copy_;
  void* mapping_ = nullptr;
};

// Part of a mapped file that is going to be read: the kernel may fetch it in one go.
void will_need(std::span<const uint8_t> bytes);

}  // namespace jfr::read
