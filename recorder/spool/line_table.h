// SPDX-License-Identifier: Apache-2.0
// A method's line table as the spool keeps it: pairs (bytecode index, line), in the order of the class file, which need
// not be that of the code. Both numbers are u16 there.
//
//   byte b < 0xFF    bci += b >> 3, line += b & 7        from 0, 0 on
//   byte 0xFF        bci and line follow as they are, u16 each, host byte order
//
// Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recorder/spool/limits.h"

namespace rec {

// Writes one, pair by pair; without room it only counts, so that two rounds need no memory in between.
class LineTableWriter {
 public:
  LineTableWriter() = default;
  explicit LineTableWriter(std::span<uint8_t> to) : to_(to.data()), limit_(static_cast<uint32_t>(to.size())) {}

  // False: there is no room, the table is longer than kMaxLineTableBytes, or these are no numbers of a class file.
  bool add(int32_t bci, int32_t line);
  uint32_t size() const { return size_; }

 private:
  uint8_t* to_ = nullptr;
  uint32_t limit_ = kMaxLineTableBytes;
  uint32_t size_ = 0;
  int32_t bci_ = 0, line_ = 0;
};

// The line of a bytecode index: that of the last entry at or before it. 0 if the table has none.
int32_t line_of(std::span<const uint8_t> table, uint16_t bci);

}  // namespace rec
