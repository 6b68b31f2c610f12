// SPDX-License-Identifier: Apache-2.0
// Numbers in a chunk's header (format/header_layout.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/header_layout.h"

namespace rec {

using HeaderBytes = std::array<uint8_t, jfr::kHeaderSize>;

inline void put_big_endian(HeaderBytes& header, size_t offset, uint64_t value) {
  for (size_t i = 8; i-- > 0; value >>= 8) header[offset + i] = static_cast<uint8_t>(value);
}

inline uint64_t big_endian(const HeaderBytes& header, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = value << 8 | header[offset + i];
  return value;
}

}  // namespace rec
