// SPDX-License-Identifier: Apache-2.0
// TextParts is a text in parts: bytes that stand here, and texts that lie in the same arena once for all who have them
// (Epoch::tag_text()). A thread dump is committed so: most of its lines are frames, which many threads have, dump after
// dump.
//
//   | u32 n, its high bit clear | n bytes |   they stand here
//   | u32 unit, its high bit set |            the text of that EncodedFact; unit 0: it is damaged
//
// Behind each other, without padding. Reading is for bytes that nobody vouches for: what goes too far is cut off.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "recorder/spool/facts.h"

namespace rec {

inline constexpr uint32_t kSharedPart = 1u << 31;
inline constexpr size_t kMostTextBytes = 4u << 20;  // of all parts; more is left out
inline constexpr std::string_view kDamagedPart = "[damaged]\n";

class TextParts {
 public:
  void clear() { bytes_.clear(); }
  void add(std::string_view text) {
    if (text.empty()) return;
    add_word(static_cast<uint32_t>(text.size()));
    std::memcpy(grow(text.size()), text.data(), text.size());
  }
  void add(Ref<EncodedFact> shared) { add_word(kSharedPart | shared.unit); }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  void add_word(uint32_t word) { std::memcpy(grow(sizeof word), &word, sizeof word); }
  uint8_t* grow(size_t bytes) {
    bytes_.resize(bytes_.size() + bytes);
    return bytes_.data() + bytes_.size() - bytes;
  }
  std::vector<uint8_t> bytes_;
};

// Both are called in the order of the text: on_bytes(std::string_view), on_shared(Ref<EncodedFact>, where its word stands).
template <typename OnBytes, typename OnShared>
void for_each_part(std::span<char> parts, OnBytes on_bytes, OnShared on_shared) {
  while (parts.size() >= sizeof(uint32_t)) {
    uint32_t word;
    std::memcpy(&word, parts.data(), sizeof word);
    char* const at = parts.data();
    parts = parts.subspan(sizeof word);
    if ((word & kSharedPart) != 0) {
      on_shared(Ref<EncodedFact>{word & ~kSharedPart}, at);
      continue;
    }
    const std::span<char> bytes = parts.first(std::min<size_t>(word, parts.size()));
    on_bytes(std::string_view(bytes.data(), bytes.size()));
    parts = parts.subspan(bytes.size());
  }
}

}  // namespace rec
