// SPDX-License-Identifier: Apache-2.0
// LineReader reads a method's compressed line table where it lies in the VM, entry by entry (recorder/spool/line_table.h has
// the format, and reads copies of it). Signal-safe.
#pragma once

#include <cstdint>

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

 private:
  bool next_byte(uint8_t& byte);
  bool next_signed(int32_t& value);

  uint64_t at_ = 0, end_ = 0;  // empty without a table
  uint32_t excess_;
  uint32_t bci_ = 0, line_ = 0;  // unsigned: torn bytes may overflow them, and must not do it undefined
};

}  // namespace rec::agent
