// SPDX-License-Identifier: Apache-2.0
// Small numbers as Parquet's hybrid of runs and packed bits:
//
//   LEB128 of count << 1       the value in as many bytes as its bits need     a run of one value
//   LEB128 of groups << 1 | 1  groups x 8 values of `bits` bits, low bit first  the others; the last group is filled up with 0
//
// Source: parquet-format/Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jrec {

// Bits that the numbers below `count` need.
int bits_for(uint64_t count);

// Each value is below 2^bits; at most 32 bits.
void append_bit_runs(std::span<const uint32_t> values, int bits, std::vector<uint8_t>& out);

}  // namespace jrec
