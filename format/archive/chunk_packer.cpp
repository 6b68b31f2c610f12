// SPDX-License-Identifier: Apache-2.0
#include "format/archive/chunk_packer.h"

#include <cassert>

#include "format/reader/mapped_file.h"

namespace jfr::archive {

using Bytes = std::span<const uint8_t>;

namespace {

constexpr int kBytesLevel = 19;  // of what is no chunk
constexpr size_t kWorthIt = 10;  // another program's base saves one part in so many, or is not used

uint64_t key_of(Bytes chunk) {
  const Bytes content = metadata_content(chunk);
  return content.empty() ? 0 : hash_of(content);
}

std::vector<uint8_t> piece_of(const CodedChunk& coded, uint64_t size, int level, const Blocks* base) {
  return make_piece(PieceKind::kChunk, PieceCoding::kColumns, pack_blocks(coded.blocks, level, base), size);
}

}  // namespace

bool ChunkPacker::is_ready(Bytes chunk) const {
  const uint64_t key = key_of(chunk);
  return key == 0 || shelf_.of(key).chunk != 0;
}

SharedBlocks ChunkPacker::blocks_of(const Base& base) {
  if (base.chunk == 0) return nullptr;
  const auto archive = writer_.map();
  return archive ? bases_.read(archive->bytes(), base.chunk) : nullptr;
}

SharedLexicon ChunkPacker::lexicon_of(const Base& base) {
  const auto archive = writer_.map();
  return archive ? bases_.lexicon(archive->bytes(), base.chunk, base.metadata) : nullptr;
}

std::optional<PackedChunk> ChunkPacker::pack_with(const Base& base, Bytes chunk, uint64_t key) {
  const SharedBlocks blocks = blocks_of(base);
  if (!blocks) return std::nullopt;
  const auto coded = encode_chunk(chunk, [&] { return lexicon_of(base); });
  if (!coded) return pack_bytes(chunk);
  return PackedChunk{piece_of(*coded, chunk.size(), level_, blocks.get()), coded->metadata, key, base, 0, {}};
}

PackedChunk ChunkPacker::pack_alone(Bytes chunk, uint64_t key) const {
  const auto coded = encode_chunk(chunk);
  if (!coded) return pack_bytes(chunk);
  return {piece_of(*coded, chunk.size(), level_, nullptr), coded->metadata, key, {}, coded->types, {}};
}

PackedChunk ChunkPacker::choose(Bytes chunk) {
  const uint64_t key = key_of(chunk);
  if (auto packed = pack_with(shelf_.of(key), chunk, key)) return std::move(*packed);
  PackedChunk alone = pack_alone(chunk, key);
  if (shelf_.knows(key)) return alone;
  auto packed = pack_with(shelf_.newest(), chunk, key);
  const bool worth_it = packed && packed->piece.size() + alone.piece.size() / kWorthIt <= alone.piece.size();
  return worth_it ? std::move(*packed) : std::move(alone);
}

PackedChunk ChunkPacker::pack(Bytes chunk) {
  PackedChunk packed = choose(chunk);
  packed.reach = event_reach(chunk);
  return packed;
}

PackedChunk ChunkPacker::pack_bytes(Bytes bytes) const {
  return {make_piece(PieceKind::kChunk, bytes, kBytesLevel), {}, 0, {}, 0, {}};
}

base::Result<Part> ChunkPacker::write(const PackedChunk& packed) {
  Part part;
  part.base = packed.base.chunk;
  part.base_metadata = packed.base.metadata;
  part.early_ns = packed.reach.early_ns;
  part.late_ns = packed.reach.late_ns;
  part.far = packed.reach.far;
  for (const Bytes content : packed.metadata) {
    const auto at = writer_.add_metadata(content);
    if (!at) return at.error();
    part.metadata.push_back(*at);
  }
  const auto at = writer_.add_piece(packed.piece);
  if (!at) return at.error();
  part.piece = *at;
  assert((packed.metadata.empty() || packed.types < part.metadata.size()) && "types are those of one of its metadata");
  if (!packed.metadata.empty())
    written_.push_back({packed.key, {part.piece, part.metadata[packed.types]}, packed.base.chunk});
  return part;
}

void ChunkPacker::learn() {
  for (const Written& each : written_)
    each.base == 0 ? shelf_.add(each.key, each.written) : shelf_.use(each.key, each.base);
  written_.clear();
}

}  // namespace jfr::archive
