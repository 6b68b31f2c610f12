// SPDX-License-Identifier: Apache-2.0
// LEB128 (leb128.h) a word at a time, for where millions of numbers are read and written. Most fit eight bytes:
//
//   gathered   0 0000000 0000010 0101100                 56 bits as they count
//   spread     00000000 ... 00000010 00101100            seven of them in each byte, the lowest in the first one
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/leb128.h"

namespace base {

inline constexpr int kLebWordBits = 56;

constexpr uint64_t spread_leb_bits(uint64_t gathered) {
  uint64_t bits = (gathered & 0x000000000fffffff) | (gathered & 0x00fffffff0000000) << 4;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x0fffc0000fffc000) << 2;
  return (bits & 0x007f007f007f007f) | (bits & 0x3f803f803f803f80) << 1;
}

constexpr uint64_t gather_leb_bits(uint64_t spread) {
  uint64_t bits = (spread & 0x007f007f007f007f) | (spread & 0x7f007f007f007f00) >> 1;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x3fff00003fff0000) >> 2;
  return (bits & 0x000000000fffffff) | (bits & 0x0fffffff00000000) >> 4;
}

// To where kLebMostBytes may be written, whatever the number takes. Returns what is behind it.
inline uint8_t* put_leb(uint64_t value, uint8_t* to) {
  if (value >> kLebWordBits == 0 && std::endian::native == std::endian::little) {
    const size_t bytes = (static_cast<size_t>(std::bit_width(value | 1)) + kLebBits - 1) / kLebBits;
    const uint64_t marks = 0x8080808080808080 & ((uint64_t{1} << (8 * (bytes - 1))) - 1);
    const uint64_t word = spread_leb_bits(value) | marks;
    std::memcpy(to, &word, sizeof word);
    return to + bytes;
  }
  for (size_t i = 1; i < kLebMostBytes && value >= kLebGoesOn; ++i, value >>= kLebBits)
    *to++ = static_cast<uint8_t>(value | kLebGoesOn);
  *to = static_cast<uint8_t>(value);
  return to + 1;
}

// The number that begins at `from`, where eight bytes may be read: how many it takes; 0 if it does not end in these.
inline size_t take_leb_word(const uint8_t* from, uint64_t& value) {
  if (std::endian::native != std::endian::little) return 0;
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  const uint64_t ends = ~word & 0x8080808080808080;
  if (ends == 0) return 0;
  const int last = std::countr_zero(ends);  // the high bit of its last byte
  value = gather_leb_bits(word & ~uint64_t{0} >> (63 - last));
  return static_cast<size_t>(last) / 8 + 1;
}

}  // namespace base
