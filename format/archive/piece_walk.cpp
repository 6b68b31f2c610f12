// SPDX-License-Identifier: Apache-2.0
#include "format/archive/piece_walk.h"

#include <algorithm>
#include <cstring>

#include "format/archive/archive_bytes.h"

namespace jfr::archive {

PlacedPiece placed(std::span<const uint8_t> archive, uint64_t at, const PieceHead& head) {
  const std::span<const uint8_t> behind = archive.subspan(std::min<uint64_t>(archive.size(), at + kPieceHeadBytes));
  return {at, head, behind.first(std::min<uint64_t>(head.stored, behind.size())), nullptr};
}

std::optional<PlacedPiece> piece_at(std::span<const uint8_t> archive, uint64_t at) {
  if (at > archive.size()) return std::nullopt;
  const auto head = read_head(archive.subspan(at));
  return head ? std::optional(placed(archive, at, *head)) : std::nullopt;
}

std::optional<PlacedPiece> PieceWalk::next() {
  const uint64_t from = at_;
  skipped_ = 0;
  std::optional<PlacedPiece> piece = heads_ == Heads::kMended ? archive_.piece(at_) : piece_at(archive_.raw(), at_);
  if (!piece) {
    // What covers a band begins the next block.
    const auto parity = piece_at(archive_.raw(), block_end(at_));
    if (parity && parity->head.kind == PieceKind::kParity) piece = parity;
    if (piece) at_ = piece->at;
  }
  while (!piece && at_ < archive_.size()) {
    seek();
    piece = piece_at(archive_.raw(), at_);
    skipped_ = at_ - from;
  }
  if (!piece) return std::nullopt;
  // A piece that is cut short may have lost its bytes to damage, and others may stand in them.
  const bool cut = piece->stored.size() < piece->head.stored;
  at_ = cut ? at_ + kPieceHeadBytes : piece->end();
  return piece;
}

void PieceWalk::seek() {
  const std::span<const uint8_t> raw = archive_.raw();
  const void* next = std::memchr(raw.data() + at_ + 1, 'R', raw.size() - at_ - 1);
  at_ = next == nullptr ? raw.size() : static_cast<uint64_t>(static_cast<const uint8_t*>(next) - raw.data());
}

}  // namespace jfr::archive
