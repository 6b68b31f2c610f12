// SPDX-License-Identifier: Apache-2.0
// PieceWalk goes from piece to piece of an archive, and finds its way again behind damage.
#pragma once

#include <optional>

#include "format/archive/piece.h"

namespace jfr::archive {

struct PlacedPiece {
  uint64_t at = 0;
  PieceHead head;
  std::span<const uint8_t> stored;  // shorter than the head says where the archive ends before
  uint64_t end() const { return at + kPieceHeadBytes + stored.size(); }
};

// The piece that begins there; nothing where none does.
std::optional<PlacedPiece> piece_at(std::span<const uint8_t> archive, uint64_t at);

// Its stored bytes are those that were written.
inline bool is_whole(const PlacedPiece& piece) {
  return piece.stored.size() == piece.head.stored && hash_of(piece.stored) == piece.head.hash;
}

class PieceWalk {
 public:
  PieceWalk(std::span<const uint8_t> archive, uint64_t from) : archive_(archive), at_(from) {}

  std::optional<PlacedPiece> next();
  uint64_t skipped() const { return skipped_; }  // bytes in front of the piece that next() gave, or of the end

 private:
  const std::span<const uint8_t> archive_;
  uint64_t at_;
  uint64_t skipped_ = 0;
};

}  // namespace jfr::archive
