// SPDX-License-Identifier: Apache-2.0
// LineReader reads a method's compressed line table where it lies in the VM, entry by entry: pairs (bytecode index,
// line) as differences (src/hotspot/share/code/compressedStream.hpp).
//
//   0            the end
//   1 to 0xFE    b: bci += b >> 3, line += b & 7
//   0xFF         two signed UNSIGNED5 numbers follow: the differences of bci and of line
//
// UNSIGNED5: up to 5 bytes; the first stored as less than 192 ends the number, byte i less `excess` counts shifted by
// 6 * i. `excess` is 1 from JDK 20 on and 0 before. Signed: (x >> 1) ^ -(x & 1). Signal-safe.
#pragma once

#include <cstdint>
#include <span>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

class LineReader {
 public:
  static constexpr uint64_t kMostBytes = 1u << 20;  // a method has 65,535 bytecodes at most

  LineReader(const Layout& layout, uint64_t const_method);

  struct Entry {
    int32_t bci = 0, line = 0;
  };
  // False: the table has ended, or cannot be read.
  bool next(Entry& entry);
  bool at_end_marker() const { return ended_; }  // all entries were read

 private:
  bool next_byte(uint8_t& byte);
  bool next_signed(int32_t& value);

  uint64_t at_ = 0, end_ = 0;  // empty without a table
  uint32_t excess_;
  bool ended_ = false;
  uint32_t bci_ = 0, line_ = 0;  // unsigned: torn bytes may overflow them, and must not do it undefined
};

// The table as the recorder keeps it (recorder/spool/line_table.h), in two rounds: how long it is, and its bytes.
// Bounded by what the recorder takes. 0: the method has none, it cannot be read or has no end, or it is too long.
uint32_t measure_lines(const Layout& layout, uint64_t const_method);
bool write_lines(const Layout& layout, uint64_t const_method, std::span<uint8_t> to);  // false: it has changed

}  // namespace rec::agent
