// SPDX-License-Identifier: Apache-2.0
// UntrimmedChunk is a closed chunk that the disk left with its filler. It is valid as it is; trim() cuts the filler off
// once the disk allows it.
//
// That is done in place: it needs no room. Between its two steps the header says less than the file has, which the
// JDK's tools refuse and ours read; whoever has room makes a trimmed copy and renames it (ChunkFile::close()).
// Recorder thread only.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "format/header_layout.h"

namespace jfr {

struct UntrimmedChunk {
  std::string path;
  uint64_t file_size = 0;                     // with the filler
  uint64_t size = 0;                          // without
  std::array<uint8_t, kHeaderSize> before{};  // its header with the filler
  std::array<uint8_t, kHeaderSize> after{};   // and without

  // kUsage: what is there is not that chunk any more.
  base::Status trim() const;
  // The same of the file that is open there, which is not synced. After an error the chunk is as it was.
  base::Status trim(int fd) const;
};

}  // namespace jfr
