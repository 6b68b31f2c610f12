// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/chunk_packer.h"

#include "format/reader/mapped_file.h"

namespace jrec {

using jfr::archive::Blocks;
using jfr::archive::CodedChunk;
using jfr::archive::Part;
using jfr::archive::PieceCoding;
using jfr::archive::PieceKind;
using Bytes = std::span<const uint8_t>;

namespace {

constexpr int kBytesLevel = 19;   // of what is no chunk
constexpr size_t kWorthIt = 10;   // another program's base saves one part in so many, or is not used

uint64_t key_of(Bytes chunk) {
  const Bytes content = jfr::archive::metadata_content(chunk);
  return content.empty() ? 0 : jfr::archive::hash_of(content);
}

std::vector<uint8_t> piece_of(const CodedChunk& coded, uint64_t size, int level, const Blocks* base) {
  return make_piece(PieceKind::kChunk, PieceCoding::kColumns, pack_blocks(coded.blocks, level, base), size);
}

}  // namespace

bool ChunkPacker::is_ready(Bytes chunk) const {
  const uint64_t key = key_of(chunk);
  return key == 0 || shelf_.of(key) != 0;
}

SharedBlocks ChunkPacker::base_at(uint64_t at) {
  if (at == 0) return nullptr;
  const auto archive = writer_.map();
  return archive ? bases_.read(archive->bytes(), at) : nullptr;
}

PackedChunk ChunkPacker::choose(const CodedChunk& coded, uint64_t key, uint64_t size) {
  const uint64_t own = shelf_.of(key);
  if (const SharedBlocks base = base_at(own)) return {piece_of(coded, size, level_, base.get()), coded.metadata, key, own, {}};
  PackedChunk alone{piece_of(coded, size, level_, nullptr), coded.metadata, key, 0, {}};
  const uint64_t other = shelf_.knows(key) ? 0 : shelf_.newest();
  const SharedBlocks base = base_at(other);
  if (!base) return alone;
  std::vector<uint8_t> piece = piece_of(coded, size, level_, base.get());
  if (piece.size() + alone.piece.size() / kWorthIt > alone.piece.size()) return alone;
  return {std::move(piece), coded.metadata, key, other, {}};
}

PackedChunk ChunkPacker::pack(Bytes chunk) {
  const auto coded = jfr::archive::encode_chunk(chunk);
  PackedChunk packed = coded ? choose(*coded, key_of(chunk), chunk.size()) : pack_bytes(chunk);
  packed.reach = event_reach(chunk);
  return packed;
}

PackedChunk ChunkPacker::pack_bytes(Bytes bytes) const {
  return {jfr::archive::make_piece(PieceKind::kChunk, bytes, kBytesLevel), {}, 0, 0, {}};
}

jfr::Result<Part> ChunkPacker::write(const PackedChunk& packed) {
  Part part;
  part.base = packed.base;
  part.early_ns = packed.reach.early_ns;
  part.late_ns = packed.reach.late_ns;
  for (const Bytes content : packed.metadata) {
    const auto at = writer_.add_metadata(content);
    if (!at) return at.error();
    part.metadata.push_back(*at);
  }
  const auto at = writer_.add_piece(packed.piece);
  if (!at) return at.error();
  part.piece = *at;
  if (!packed.metadata.empty()) written_.push_back({packed.key, part.piece, packed.base});
  return part;
}

void ChunkPacker::learn() {
  for (const Written& each : written_) each.base == 0 ? shelf_.add(each.key, each.piece) : shelf_.use(each.key, each.base);
  written_.clear();
}

}  // namespace jrec
