// SPDX-License-Identifier: Apache-2.0
// Chunks of version 0.9 (Oracle's JDK 7 and 8, JRockit), one behind the other, taken apart into columns and put together,
// to the byte. Such a chunk is known by its metadata alone, which is at its end.
//
//   more    1 for each chunk, then 0; behind the last one come bytes that are none, as they are
//   heads   the first 16 bytes of each chunk
//   kinds   a record each: 0 the metadata, 1 bytes as they are, 2 a checkpoint, from 3 on an event of that type
//           (old_record_code.h)
//
// The metadata goes to pieces of its own, as it is nearly the same in all recordings of a JDK.
//
// Archives have these from version 6 on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/blocks.h"
#include "format/archive/number_codec.h"

namespace jfr::archive {

inline constexpr uint64_t kMostOldBytes = 128u << 20;  // larger ones are not taken apart: columns need memory

struct CodedOldChunks {
  Blocks blocks;
  std::vector<std::span<const uint8_t>> metadata;  // of each chunk, in the bytes
};

// Nothing for bytes that do not begin with such a chunk, or that would come back otherwise: it is tried.
std::optional<CodedOldChunks> encode_old_chunks(std::span<const uint8_t> bytes, NewCodings news = kAllCodings);

// Nothing for blocks that encode_old_chunks() did not make of `size` bytes with this metadata.
std::optional<std::vector<uint8_t>> decode_old_chunks(const Blocks& blocks,
                                                      std::span<const std::span<const uint8_t>> metadata,
                                                      uint64_t size);

// When a chunk with this metadata began and ended, since the Unix epoch. Nothing: it is none of version 0.9.
struct OldSpan {
  int64_t start_ns = 0, end_ns = 0;
};
std::optional<OldSpan> old_span(std::span<const uint8_t> metadata);

}  // namespace jfr::archive
