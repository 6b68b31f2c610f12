// SPDX-License-Identifier: Apache-2.0
#include "format/archive/piece_walk.h"

#include <algorithm>
#include <cstring>

namespace jfr::archive {

std::optional<PlacedPiece> piece_at(std::span<const uint8_t> archive, uint64_t at) {
  if (at > archive.size()) return std::nullopt;
  const auto head = read_head(archive.subspan(at));
  if (!head) return std::nullopt;
  const std::span<const uint8_t> behind = archive.subspan(at + kPieceHeadBytes);
  return PlacedPiece{at, *head, behind.first(std::min<uint64_t>(head->stored, behind.size()))};
}

std::optional<PlacedPiece> PieceWalk::next() {
  const uint64_t from = at_;
  while (at_ < archive_.size()) {
    if (const auto piece = piece_at(archive_, at_)) {
      // A piece that is cut short may have lost its bytes to damage, and others may stand in them.
      const bool cut = piece->stored.size() < piece->head.stored;
      skipped_ = at_ - from;
      at_ = cut ? at_ + kPieceHeadBytes : piece->end();
      return piece;
    }
    const void* next = std::memchr(archive_.data() + at_ + 1, 'R', archive_.size() - at_ - 1);
    at_ =
        next == nullptr ? archive_.size() : static_cast<uint64_t>(static_cast<const uint8_t*>(next) - archive_.data());
  }
  skipped_ = at_ - from;
  return std::nullopt;
}

}  // namespace jfr::archive
