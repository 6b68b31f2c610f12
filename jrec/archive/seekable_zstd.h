// SPDX-License-Identifier: Apache-2.0
// SeekableZstd makes a file of zstd frames that ends with their sizes in a frame which decompressors pass over:
//
//   frame frame ... | 5E 2A 4D 18, u32 size | u32 compressed, u32 content ... | u32 frames, u8 0, B1 EA 92 8F
//
// Numbers are little-endian (zstd, contrib/seekable_format/zstd_seekable_compression_format.md).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace jrec {

class SeekableZstd {
 public:
  explicit SeekableZstd(int level) : level_(level) {}

  // The frame of a chunk. Empty: zstd refused, or the chunk is larger than a frame may be (1 GiB).
  std::vector<uint8_t> frame(std::span<const uint8_t> content);
  // What stands behind the last frame.
  std::vector<uint8_t> seek_table() const;

 private:
  const int level_;
  std::vector<std::pair<uint32_t, uint32_t>> sizes_;
};

}  // namespace jrec
