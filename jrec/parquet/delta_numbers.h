// SPDX-License-Identifier: Apache-2.0
// Numbers by how far each is from the one before, as Parquet's DELTA_BINARY_PACKED. Times that rise take two bytes each so,
// and not eight.
//
//   128 | 4 | count | the first          varints, the first a zigzag
//   blocks of 128 steps: the least step, a zigzag | bits of each of 4 groups, a byte | 32 steps, less the least, in so
//   many bits, low bit first; groups behind the last step have 0 bits
//
// Source: parquet-format/Encodings.md, "Delta Encoding".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jrec {

void append_deltas(std::span<const int64_t> values, std::vector<uint8_t>& out);

}  // namespace jrec
