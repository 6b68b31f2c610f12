// SPDX-License-Identifier: Apache-2.0
// Checkpoints that neither a chain nor a walk leads to, as behind bytes that are missing from the middle of a chunk: they are
// looked for byte by byte.
//
// One is believed when its pools and constants are of declared types and fill it to its last byte, and it has a constant at
// least. The work is bounded by a small multiple of the bytes that are looked through, whatever they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/reader/metadata.h"

namespace jfr::read {

// Those in chunk[from, end), ascending; none is inside another. Empty where no types are declared.
std::vector<uint64_t> lone_checkpoints(std::span<const uint8_t> chunk, const Metadata& metadata, uint64_t from);

}  // namespace jfr::read
