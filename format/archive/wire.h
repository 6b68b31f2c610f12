// SPDX-License-Identifier: Apache-2.0
// LEB128 as JFR writes it: at most nine bytes, the ninth with eight bits; and padded to a width.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jfr::archive {

constexpr size_t wire_size(uint64_t value) {
  size_t bytes = 1;
  while (bytes < 9 && value >> (7 * bytes) != 0) ++bytes;
  return bytes;
}

inline void append_wire(std::vector<uint8_t>& out, uint64_t value) {
  for (int i = 0; i < 8; ++i) {
    if (value < 0x80) return out.push_back(static_cast<uint8_t>(value));
    out.push_back(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}

// In exactly `width` bytes, 1 to 9; the value fits.
inline void append_padded(std::vector<uint8_t>& out, uint64_t value, size_t width) {
  assert(width >= wire_size(value) && width <= 9 && "padding makes a number longer, and never shorter");
  for (size_t i = 1; i < width; ++i, value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

}  // namespace jfr::archive
