// SPDX-License-Identifier: Apache-2.0
// Numbers of fixed width, as the archive has them: little-endian.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

inline void put64(uint64_t value, uint8_t* to) {
  for (int i = 0; i < 8; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

inline void append64(uint64_t value, std::vector<uint8_t>& out) {
  out.resize(out.size() + 8);
  put64(value, out.data() + out.size() - 8);
}

inline uint64_t get64(const uint8_t* from) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= uint64_t{from[i]} << (8 * i);
  return value;
}

// Moves at. False: the bytes end before.
inline bool take64(std::span<const uint8_t> bytes, size_t& at, uint64_t& value) {
  if (at > bytes.size() || bytes.size() - at < 8) return false;
  value = get64(bytes.data() + at);
  at += 8;
  return true;
}

}  // namespace jfr::archive
