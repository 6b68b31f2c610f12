// SPDX-License-Identifier: Apache-2.0
#include "format/archive/metadata_piece.h"

#include <algorithm>
#include <cassert>

#include "format/archive/metadata_codec.h"
#include "format/archive/number_codec.h"
#include "format/archive/words.h"
#include "format/archive/zstd_frame.h"
#include "format/reader/metadata.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr int kTrialLevel = 3;
constexpr int kMoreForPatches = 1;  // the best parse finds next to nothing more where most is there already
constexpr double kAlike = 0.3,
                 kAkin = 0.8;  // shares below which a patch is surely better, and above which it is surely not
constexpr size_t kPatchWorthIt =
    4;  // a patch saves one part in so many of the columns; a base for others is worth something too

std::vector<uint8_t> patch_of(Bytes content, const MetadataBase& base, int level) {
  std::vector<uint8_t> patch;
  append_zstd(content, level, base.content, patch);
  return patch;
}

// What a first look says: the base that makes the smallest patch, and how small that is beside the content by itself.
struct Outlook {
  const MetadataBase* base = nullptr;
  double share = 1;
};

Outlook outlook_of(Bytes content, std::span<const MetadataBase> bases) {
  Outlook outlook;
  const auto alone = static_cast<double>(patch_of(content, {}, kTrialLevel).size());
  for (const MetadataBase& base : bases) {
    const double share = static_cast<double>(patch_of(content, base, kTrialLevel).size()) / alone;
    if (share > 0 && share < outlook.share) outlook = {&base, share};
  }
  return outlook;
}

std::vector<uint8_t> columns_piece(Bytes content, int level, NewCodings news) {
  const auto columns = encode_metadata(content, level, news);
  const PieceCoding coding = news.words ? PieceCoding::kWordColumns : PieceCoding::kColumns;
  return columns ? make_piece(PieceKind::kMetadata, coding, *columns, content.size())
                 : make_piece(PieceKind::kMetadata, content, small_level(level));
}

std::vector<uint8_t> patch_piece(Bytes content, uint64_t at, const MetadataBase& base, int level) {
  assert(base.at < at && "a patch is of what stands before it");
  std::vector<uint8_t> stored;
  append_varint(at - base.at, stored);
  const std::vector<uint8_t> patch = patch_of(content, base, std::min(level + kMoreForPatches, kBestLevel));
  stored.insert(stored.end(), patch.begin(), patch.end());
  return make_piece(PieceKind::kMetadata, PieceCoding::kPatch, stored, content.size());
}

// Of a whole piece of kPatch.
std::optional<std::vector<uint8_t>> apply_patch(const ArchiveBytes& archive, const PlacedPiece& piece) {
  size_t cursor = 0;
  uint64_t distance = 0;
  if (!take_varint(piece.stored, cursor, distance) || distance == 0 || distance > piece.at) return std::nullopt;
  const auto base = archive.piece(piece.at - distance);
  if (!base || base->head.coding == PieceCoding::kPatch) return std::nullopt;
  const auto prefix = read_metadata_piece(archive, base->at);
  if (!prefix) return std::nullopt;
  std::vector<uint8_t> content;
  if (!take_zstd(piece.stored.subspan(cursor), piece.head.size, *prefix, content) || content.size() != piece.head.size)
    return std::nullopt;
  return content;
}

}  // namespace

std::vector<uint8_t> make_metadata_piece(Bytes content, uint64_t at, std::span<const MetadataBase> bases, int level,
                                         NewCodings news) {
  const Outlook outlook = outlook_of(content, bases);
  if (outlook.share > kAkin) return columns_piece(content, level, news);
  assert(outlook.base != nullptr && "who has no base has a share of 1");
  std::vector<uint8_t> patch = patch_piece(content, at, *outlook.base, level);
  if (outlook.share < kAlike) return patch;
  std::vector<uint8_t> columns = columns_piece(content, level, news);
  return patch.size() + columns.size() / kPatchWorthIt < columns.size() ? patch : columns;
}

std::optional<std::vector<uint8_t>> read_metadata_piece(const ArchiveBytes& archive, uint64_t at) {
  const auto piece = archive.whole_piece(at);
  if (!piece || piece->head.kind != PieceKind::kMetadata) return std::nullopt;
  if (piece->head.size > read::kMaxMetadataSize) return std::nullopt;
  if (piece->head.coding == PieceCoding::kPatch) return apply_patch(archive, *piece);
  if (is_columns(piece->head.coding)) return decode_metadata(piece->stored, piece->head.size, words_of(piece->head));
  return unpack_piece(piece->head, piece->stored, read::kMaxMetadataSize);
}

}  // namespace jfr::archive
