// SPDX-License-Identifier: Apache-2.0
// A stretch of a chunk that was broken, and has been repaired, is covered by an event of a type that nobody declares.
// What it covers is no damage any more: readers pass over it by its size.
#pragma once

#include <cstdint>

#include "format/header_layout.h"
#include "format/reader/metadata.h"

namespace jfr::read {

inline constexpr uint64_t kLargestCoverType = 16383;  // the largest id of two bytes

// The type of such events in a chunk with these types: it takes two bytes, and none of them has it.
inline uint64_t cover_type(const Metadata& metadata) {
  uint64_t type = kLargestCoverType;
  while (type > kCheckpointType + 1 && metadata.by_id(type) != nullptr) --type;
  return type;
}

}  // namespace jfr::read
