// SPDX-License-Identifier: Apache-2.0
#include "format/c/text_table.h"

#include <algorithm>
#include <cstring>

namespace jfr::c {

uint64_t hash_bytes(const void* bytes, size_t size) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  const uint64_t seed = read::key_hash_seed();
  uint64_t hash = read::hash_key(size, seed);
  for (size_t done = 0; done < size; done += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at + done, std::min<size_t>(8, size - done));
    hash = read::hash_key(hash ^ word, seed);
  }
  return hash;
}

// Two texts of one hash: the second is found under the next.
std::optional<uint32_t> TextTable::number_of(std::string_view text) {
  for (uint64_t hash = hash_bytes(text.data(), text.size());; ++hash) {
    if (const uint32_t* known = by_hash_.find(hash)) {
      if (texts_[*known - 1] == text) return *known;
      continue;
    }
    if (text.size() + sizeof(std::string) > room_) return std::nullopt;
    room_ -= text.size() + sizeof(std::string);
    texts_.emplace_back(text);
    const auto number = static_cast<uint32_t>(texts_.size());
    by_hash_.find_or_add(hash, number);
    return number;
  }
}

}  // namespace jfr::c
