// SPDX-License-Identifier: Apache-2.0
// Places in an archive as its ENDs and tables have them: how far back something begins, so that those near take a byte or two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "format/archive/fixed_number.h"
#include "format/archive/number_codec.h"

namespace jfr::archive {

using MetadataPlaces = std::vector<std::pair<uint64_t, uint64_t>>;  // hash of the content, where the piece begins

// A distance back from `at`, to where something may begin.
inline bool take_back(std::span<const uint8_t> bytes, size_t& cursor, uint64_t at, uint64_t& place) {
  uint64_t distance = 0;
  if (!take_varint(bytes, cursor, distance) || distance == 0 || distance > at) return false;
  place = at - distance;
  return true;
}

// The same; a distance of 0: the place is 0, none.
inline void append_back_or_none(uint64_t at, uint64_t place, std::vector<uint8_t>& out) {
  append_varint(place == 0 ? 0 : at - place, out);
}
inline bool take_back_or_none(std::span<const uint8_t> bytes, size_t& cursor, uint64_t at, uint64_t& place) {
  uint64_t distance = 0;
  if (!take_varint(bytes, cursor, distance) || distance > at) return false;
  place = distance == 0 ? 0 : at - distance;
  return true;
}

inline void append_metadata(const MetadataPlaces& metadata, uint64_t at, std::vector<uint8_t>& out) {
  append_varint(metadata.size(), out);
  for (const auto& [hash, piece] : metadata) {
    append64(hash, out);
    append_varint(at - piece, out);
  }
}
inline bool take_metadata(std::span<const uint8_t> bytes, size_t& cursor, uint64_t at, MetadataPlaces& metadata) {
  uint64_t count = 0;
  if (!take_varint(bytes, cursor, count) || count > bytes.size()) return false;
  metadata.resize(count);
  for (auto& [hash, piece] : metadata)
    if (!take64(bytes, cursor, hash) || !take_back(bytes, cursor, at, piece)) return false;
  return true;
}

}  // namespace jfr::archive
