// SPDX-License-Identifier: Apache-2.0
#include "format/archive/part_reader.h"

#include "format/archive/chunk_codec.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/old_chunk_codec.h"
#include "format/archive/words.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

Error damaged(uint64_t at) { return Error{ErrorCode::kCorrupt, at, "a piece of the archive is damaged"}; }

}  // namespace

Result<std::vector<uint8_t>> PartReader::read(const Part& part) {
  if (const auto there = archive_.piece(part.piece)) jfr::read::will_need(there->stored);
  const auto piece = archive_.whole_piece(part.piece);
  if (!piece || piece->head.kind != PieceKind::kChunk || piece->head.size != part.size) return damaged(part.piece);
  const bool is_old = piece->head.coding == PieceCoding::kOldColumns;
  if (!is_old && !is_columns(piece->head.coding)) {
    auto content = unpack_piece(piece->head, piece->stored, part.size);
    if (!content) return damaged(part.piece);
    return std::move(*content);
  }
  std::vector<Content> kept;
  std::vector<std::span<const uint8_t>> contents;
  for (const uint64_t at : part.metadata) {
    kept.push_back(metadata(at));
    if (!kept.back()) return damaged(at);
    contents.emplace_back(*kept.back());
  }
  if (is_old) return old_chunks(*piece, contents, part);
  const SharedBlocks base = bases_.ready(archive_, part.bases).blocks;
  if (!part.bases.empty() && !base) return damaged(part.bases.back().chunk);
  const Blocks* const words = words_of(piece->head);
  if (words != nullptr && base) return damaged(part.piece);
  const auto blocks = unpack_blocks(piece->stored, block_limit(part.size), base ? base.get() : words);
  if (!blocks) return damaged(part.piece);
  const LexiconSource lexicons = [&] { return bases_.lexicon(archive_, part.bases); };
  std::optional<LearnedStacks> learned;
  auto chunk = decode_chunk(*blocks, contents, part.size, lexicons, &learned);
  if (learned) bases_.keep_learned(part.piece, part.bases, std::move(*learned));
  return chunk ? std::move(chunk) : damaged(part.piece);
}

Result<std::vector<uint8_t>> PartReader::old_chunks(const PlacedPiece& piece,
                                                    std::span<const std::span<const uint8_t>> metadata,
                                                    const Part& part) {
  if (part.size > kMostOldBytes) return damaged(part.piece);
  const auto blocks = unpack_blocks(piece.stored, block_limit(part.size), nullptr);
  auto chunks = blocks ? decode_old_chunks(*blocks, metadata, part.size) : std::nullopt;
  if (!chunks) return damaged(part.piece);
  return std::move(*chunks);
}

PartReader::Content PartReader::metadata(uint64_t at) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = metadata_.find(at); known != metadata_.end()) return known->second;
  }
  Content content;
  if (auto unpacked = read_metadata_piece(archive_, at))
    content = std::make_shared<const std::vector<uint8_t>>(std::move(*unpacked));
  const std::lock_guard<std::mutex> lock(mutex_);
  return metadata_[at] = content;
}

}  // namespace jfr::archive
