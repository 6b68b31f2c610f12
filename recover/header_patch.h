// SPDX-License-Identifier: Apache-2.0
// Changes a number in a chunk's header (format/header_layout.h).
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

}  // namespace rec
