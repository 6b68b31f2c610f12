// SPDX-License-Identifier: Apache-2.0
// Reads HotSpot's compressed line tables: pairs (bytecode index, line) as differences.
//
//   b != 0xFF: bci += b >> 3, line += b & 7      0: the end      0xFF: two signed UNSIGNED5 numbers follow
//
// UNSIGNED5: up to 5 bytes; the first stored as less than 192 ends the number, byte i less `excess` counts shifted by
// 6 * i.
// `excess` is 1 from JDK 20 on and 0 before. Signed: (x >> 1) ^ -(x & 1). Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rec {

// Finds where a table ends, fed byte by byte, because the bytes come from memory that is read in pieces.
class LineTableScanner {
 public:
  bool ends_with(uint8_t byte);  // true: this byte was the end marker

 private:
  unsigned numbers_ = 0;  // still to come of an 0xFF pair
  unsigned bytes_ = 0;    // of the number at hand
};

// The line of a bytecode index: that of the last entry at or before it. 0 if the table has none.
int32_t line_of(std::span<const uint8_t> table, uint32_t excess, uint16_t bci);

}  // namespace rec
