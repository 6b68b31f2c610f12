// SPDX-License-Identifier: Apache-2.0
// find_flaws looks for everything in a chunk that breaks the rules of the format so that something of it is lost to a
// reader: all events and all constants, whether anybody asks for them or not.
//
//   header        offsets outside the chunk, a negative duration
//   metadata      types without an id of their own, fields of undeclared types, values that cannot be decoded
//   events        of undeclared types, with fields that do not fit into them
//   checkpoints   a chain that breaks or leaves one out, contents that do not fill them
//
// What the walk over the events meets, sizes that cannot be, is noted in the chunk's Problems as always. It takes one
// walk over the bytes of the chunk, and resolves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "format/reader/chunk.h"

namespace jfr::read {

struct Flaw {
  enum class Kind : uint8_t { kHeader, kMetadata, kCheckpoint, kEvent, kTime };
  Kind kind;
  uint64_t at;  // in the chunk
  std::string what;
};

// False: enough was found.
using TakeFlaw = std::function<bool(const Flaw&)>;

void find_flaws(Chunk& chunk, const TakeFlaw& take);

// The first of them become Problems of the chunk.
void note_flaws(Chunk& chunk);

}  // namespace jfr::read
