// SPDX-License-Identifier: Apache-2.0
// Numbers by their scale. Times and sizes differ in their low bits as chance will have it, and a compressor that looks
// for order there only wastes its time: so a number is a symbol, of which some are more frequent than others, and bits
// that are left as they are.
//
//   1234 = 10 01101001 0   ->  symbol 36: eleven bits, the two highest are 10 and the lowest 0      rest 01101001
//
//   all symbols, a byte each | all rests, one behind the other, from the lowest bit of the first byte on
//
// The lowest bit is part of the symbol as it is the sign of a difference (zigzag), which seldom changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/bit_string.h"

namespace jfr::archive {

void append_scaled(std::span<const uint64_t> numbers, std::vector<uint8_t>& out);

// False: there is no such symbol, or no such rest.
bool take_scaled(uint8_t symbol, BitReader& rests, uint64_t& number);

}  // namespace jfr::archive
