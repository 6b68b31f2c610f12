// SPDX-License-Identifier: Apache-2.0
// ChunkHeader is the 68 bytes that every chunk starts with, decoded. Clock turns its ticks into wall time.
//
// No field is trusted: size and offsets are what the file claims. find_chunk() in chunk_scanner.h says what to make of
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "format/header_layout.h"

namespace jfr::read {

struct ChunkHeader {
  uint16_t major = 0;
  uint16_t minor = 0;
  uint64_t size = 0;        // of the chunk, header included
  uint64_t checkpoint = 0;  // offset of the newest checkpoint
  uint64_t metadata = 0;    // offset of the newest metadata event
  int64_t start_ns = 0;     // since the Unix epoch
  int64_t duration_ns = 0;
  int64_t start_ticks = 0;
  int64_t ticks_per_second = 0;
  uint8_t state = 0;  // 0 finished; 1..254 still written; 255 the header is being replaced
  bool compressed = true;
  bool final_chunk = false;

  int64_t end_ns() const {  // its start, where numbers are damaged
    int64_t end = 0;
    return __builtin_add_overflow(start_ns, std::max<int64_t>(duration_ns, 0), &end) ? start_ns : end;
  }
};

// Decodes the header at the front of `bytes`. offset_in_file is for the error only. kCorrupt when there is none;
// kUsage, with words for a user, when it is of a kind that we do not read (version 0.9 of Oracle's JDK 7 and 8,
// uncompressed integers, gzip).
base::Result<ChunkHeader> parse_chunk_header(std::span<const uint8_t> bytes, uint64_t offset_in_file);

class Clock {
 public:
  Clock() = default;
  explicit Clock(const ChunkHeader& header);

  int64_t unix_ns(int64_t ticks) const;
  int64_t span_ns(int64_t ticks) const;          // cut, as the JDK does
  int64_t nearest_span_ns(int64_t ticks) const;  // rounded: what is added up stays true

 private:
  int64_t start_ns_ = 0;
  int64_t start_ticks_ = 0;
  double ticks_per_ns_ = 1;
};

}  // namespace jfr::read
