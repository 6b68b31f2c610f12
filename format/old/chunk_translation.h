// SPDX-License-Identifier: Apache-2.0
// A chunk of version 0.9 as one of version 2, whole and in memory: header, events in their order, one checkpoint, the
// metadata. Times are the same to the tick.
//
// What is damaged is noted and left out: an event that does not fit ends the walk up to the next checkpoint; one whose
// fields do not fit is passed over. Without its metadata, which is at its end, nothing of a chunk can be read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "format/reader/problems.h"
#include "format/writer/byte_sink.h"

namespace jfr::old {

// Where in a chunk its metadata is, and how long the chunk is, which ends with that.
struct Extent {
  uint64_t metadata = 0, size = 0;
};

// Of the chunk that starts with these bytes, as its header tells. `at` is where it is in the file, for the error.
base::Result<Extent> extent_told(std::span<const uint8_t> bytes, uint64_t at);
// The same by a walk over its events: the header tells nonsense. Nothing: there is no metadata.
std::optional<Extent> extent_walked(std::span<const uint8_t> bytes);

struct NewChunk {
  ByteSink header, body;
};

// Exactly the bytes of one chunk. Nothing: it cannot be read, which is noted. last_key: of the constants of the chunks
// before, and then of this one's.
std::optional<NewChunk> translate_chunk(std::span<const uint8_t> chunk, uint64_t metadata, uint64_t at,
                                        uint32_t& last_key, read::Problems& problems);

}  // namespace jfr::old
