// SPDX-License-Identifier: Apache-2.0
// LEB128 as recordings have it: seven bits a byte, low group first, the high bit says that more follow. At most nine
// bytes: the ninth carries eight bits and no mark.
//
//   300         = 10 0101100                  ac 02
//   2^64 - 1    = 8 times 1111111, 11111111   ff ff ff ff ff ff ff ff ff
//   5, padded to four bytes                   85 80 80 00      for a number that is not yet known
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace base {

inline constexpr size_t kLebMostBytes = 9;
inline constexpr int kLebBits = 7;  // of a byte but the ninth
inline constexpr uint8_t kLebGoesOn = 0x80;

// Bytes that a number takes.
constexpr size_t leb_size(uint64_t value) {
  size_t bytes = 1;
  while (bytes < kLebMostBytes && value >> (kLebBits * bytes) != 0) ++bytes;
  return bytes;
}

inline void append_leb(uint64_t value, std::vector<uint8_t>& out) {
  for (size_t i = 1; i < kLebMostBytes && value >= kLebGoesOn; ++i, value >>= kLebBits)
    out.push_back(static_cast<uint8_t>(value | kLebGoesOn));
  out.push_back(static_cast<uint8_t>(value));
}

// In exactly `width` bytes, which must be enough for it.
inline void put_padded_leb(uint64_t value, size_t width, uint8_t* to) {
  assert(width >= leb_size(value) && width <= kLebMostBytes && "padding makes a number longer, and never shorter");
  for (size_t i = 1; i < width; ++i, value >>= kLebBits) *to++ = static_cast<uint8_t>(value | kLebGoesOn);
  *to = static_cast<uint8_t>(value);
}

inline void append_padded_leb(uint64_t value, size_t width, std::vector<uint8_t>& out) {
  out.resize(out.size() + width);
  put_padded_leb(value, width, out.data() + out.size() - width);
}

}  // namespace base
