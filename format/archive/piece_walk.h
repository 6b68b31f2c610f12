// SPDX-License-Identifier: Apache-2.0
// PieceWalk goes from piece to piece of an archive, and finds its way again behind damage.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "format/archive/piece.h"
#include "format/archive/source.h"

namespace jfr::archive {

class ArchiveBytes;

struct PlacedPiece {
  uint64_t at = 0;
  PieceHead head;
  std::span<const uint8_t> stored;  // their place; shorter than the head says where the archive ends before
  std::shared_ptr<const std::vector<uint8_t>> owner;  // of a mended copy; null: they are the archive's
  uint64_t end() const { return at + kPieceHeadBytes + stored.size(); }
};

inline constexpr size_t kArchiveHeadBytes = 8;  // "RECZ" and the version
// What follows: the first piece, or bytes that say that it does behind them (catalogue.h).
inline constexpr size_t kHeadMarkBytes = 8;
inline constexpr std::array<uint8_t, kHeadMarkBytes> kHeadName = {'a', 'r', 'c', 'h', 'i', 'v', 'e', '\n'};
enum class HeadMark : uint8_t { kNone, kZeros, kName };
HeadMark head_mark(std::span<const uint8_t> behind);
// Where the first piece begins.
uint64_t first_piece(const Source& archive);

// The piece that begins there, as it lies in the file; nothing where none does. Of its stored bytes only the place.
std::optional<PlacedPiece> piece_at(const Source& archive, uint64_t at);
// The one with that head, whatever stands there.
PlacedPiece placed(const Source& archive, uint64_t at, const PieceHead& head);

// Its stored bytes are those that were written. The first is for bytes that are in memory.
inline bool is_whole(const PlacedPiece& piece) {
  return piece.stored.size() == piece.head.stored && hash_of(piece.stored) == piece.head.hash;
}
bool is_whole(const Source& archive, const PlacedPiece& piece);

class PieceWalk {
 public:
  enum class Heads { kMended, kAsTheyLie };
  PieceWalk(const ArchiveBytes& archive, uint64_t from, Heads heads = Heads::kMended)
      : archive_(archive), heads_(heads), at_(from) {}

  // Their heads are as they were; their stored bytes may be damaged. kAsTheyLie: a piece whose head is damaged is passed
  // over, and no parity is looked for.
  std::optional<PlacedPiece> next();
  // Bytes in front of the piece that next() gave, or of the end; without the zeros in front of parity.
  uint64_t skipped() const { return skipped_; }

 private:
  void seek();

  const ArchiveBytes& archive_;
  const Heads heads_;
  uint64_t at_;
  uint64_t skipped_ = 0;
};

}  // namespace jfr::archive
