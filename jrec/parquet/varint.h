// SPDX-License-Identifier: Apache-2.0
// LEB128 as Thrift and Parquet have it, of ten bytes at most (JFR's, base/leb128.h, ends at nine), and zigzag: 0, -1, 1, -2 are
// 0, 1, 2, 3.
#pragma once

#include <cstdint>
#include <vector>

namespace jrec {

inline void append_varint(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

inline void append_zigzag(int64_t value, std::vector<uint8_t>& out) {
  append_varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63), out);
}

}  // namespace jrec
