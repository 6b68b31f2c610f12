// SPDX-License-Identifier: Apache-2.0
#include "format/archive/piece_walk.h"

#include <algorithm>
#include <cstring>

#include "format/archive/archive_bytes.h"

namespace jfr::archive {

namespace {

constexpr uint64_t kLook = 64 * 1024;  // that is searched at a time

// What covers a band begins the next block, whatever the size of its blocks.
std::optional<PlacedPiece> parity_behind(const Source& archive, uint64_t at) {
  for (uint64_t block = kLeastBlockBytes; block <= kBlockBytes; block *= 2) {
    const auto piece = piece_at(archive, block_end(at, block));
    if (piece && piece->head.kind == PieceKind::kParity) return piece;
  }
  return std::nullopt;
}

}  // namespace

PlacedPiece placed(const Source& archive, uint64_t at, const PieceHead& head) {
  return {at, head, archive.place_of(at + kPieceHeadBytes, head.stored), nullptr};
}

HeadMark head_mark(std::span<const uint8_t> behind) {
  constexpr std::array<uint8_t, kHeadMarkBytes> kZeros{};
  if (behind.size() != kHeadMarkBytes) return HeadMark::kNone;
  if (std::ranges::equal(behind, kZeros)) return HeadMark::kZeros;
  return std::ranges::equal(behind, kHeadName) ? HeadMark::kName : HeadMark::kNone;
}

uint64_t first_piece(const Source& archive) {
  const bool marked = head_mark(archive.read(kArchiveHeadBytes, kHeadMarkBytes)) != HeadMark::kNone;
  return kArchiveHeadBytes + (marked ? kHeadMarkBytes : 0);
}

std::optional<PlacedPiece> piece_at(const Source& archive, uint64_t at) {
  const auto head = read_head(archive.read(at, kPieceHeadBytes));
  return head ? std::optional(placed(archive, at, *head)) : std::nullopt;
}

bool is_whole(const Source& archive, const PlacedPiece& piece) {
  return archive.read(piece.at + kPieceHeadBytes, piece.stored.size()).size() == piece.stored.size() && is_whole(piece);
}

std::optional<PlacedPiece> PieceWalk::next() {
  const uint64_t from = at_;
  skipped_ = 0;
  std::optional<PlacedPiece> piece = heads_ == Heads::kMended ? archive_.piece(at_) : piece_at(archive_.raw(), at_);
  if (!piece && (piece = parity_behind(archive_.raw(), at_))) at_ = piece->at;
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
  for (++at_; at_ < archive_.size();) {
    const auto bytes = archive_.raw().read(at_, kLook);
    if (bytes.empty()) break;
    const void* next = std::memchr(bytes.data(), 'R', bytes.size());
    if (next == nullptr) {
      at_ += bytes.size();
      continue;
    }
    at_ += static_cast<uint64_t>(static_cast<const uint8_t*>(next) - bytes.data());
    return;
  }
  at_ = archive_.size();
}

}  // namespace jfr::archive
