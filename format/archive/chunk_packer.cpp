// SPDX-License-Identifier: Apache-2.0
#include "format/archive/chunk_packer.h"

#include <cassert>

#include "format/archive/old_chunk_codec.h"
#include "format/archive/words.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

using Bytes = std::span<const uint8_t>;

namespace {

constexpr int kQuickLevel = 1;        // which of two ways is smaller is seen soon
constexpr double kSameProgram = 0.5;  // of its methods a chunk has in common with others of its program
constexpr double kSomeNames = 0.02;   // of a large chunk, or another program's bases are not tried
constexpr size_t kLarge = 512u << 10;
constexpr size_t kWorthIt = 10;  // another program's base saves one part in so many, or is not used

uint64_t key_of(Bytes chunk) {
  const Bytes content = metadata_content(chunk);
  return content.empty() ? 0 : hash_of(content);
}

}  // namespace

bool ChunkPacker::is_ready(Bytes chunk) const {
  const uint64_t key = key_of(chunk);
  const Bases bases = shelf_.of(key);
  return key == 0 || (!bases.empty() && !shelf_.has_room(bases, chunk.size()));
}

ReadyBase ChunkPacker::blocks_of(const Bases& bases) {
  if (bases.empty()) return {};
  const auto archive = writer_.map();
  return archive ? bases_.ready(archive->bytes(), bases) : ReadyBase();
}

SharedLexicon ChunkPacker::lexicon_of(const Bases& bases) {
  const auto archive = writer_.map();
  return archive ? bases_.lexicon(archive->bytes(), bases) : nullptr;
}

std::optional<ChunkPacker::Columns> ChunkPacker::columns_with(const Bases& bases, Bytes chunk, double known_methods) {
  ReadyBase base_blocks = blocks_of(bases);
  if (!base_blocks.blocks) return std::nullopt;
  auto coded = encode_chunk_if_known(
      chunk, [&] { return lexicon_of(bases); }, news(), known_methods);
  if (!coded) return std::nullopt;
  return Columns{std::move(*coded), bases, std::move(base_blocks)};
}

std::optional<ChunkPacker::Columns> ChunkPacker::columns_alone(Bytes chunk) const {
  auto coded = encode_chunk(chunk, {}, news());
  if (!coded) return std::nullopt;
  return Columns{std::move(*coded), {}, news().words ? chunk_words() : ReadyBase()};
}

// Nothing: these bytes cannot be taken apart.
std::optional<ChunkPacker::Columns> ChunkPacker::choose(Bytes chunk, uint64_t key) {
  if (auto columns = columns_with(shelf_.of(key), chunk)) return columns;
  if (shelf_.knows(key)) return columns_alone(chunk);
  auto with = columns_with(shelf_.newest(), chunk, chunk.size() > kLarge ? kSomeNames : 0);
  if (with && with->coded.known_methods > kSameProgram) return with;
  auto alone = columns_alone(chunk);
  if (!alone || !with) return alone;
  const size_t least = packed(*alone, kQuickLevel).size();
  return packed(*with, kQuickLevel).size() + least / kWorthIt <= least ? std::move(with) : std::move(alone);
}

std::vector<uint8_t> ChunkPacker::packed(const Columns& columns, int level) {
  const auto& [blocks, dictionaries] = columns.base_blocks;
  return pack_blocks(columns.coded.blocks, level, blocks.get(), dictionaries.get());
}

PieceCoding ChunkPacker::coding_of(const Columns& columns) {
  const bool words = columns.bases.empty() && columns.base_blocks.blocks;
  return words ? PieceCoding::kWordColumns : PieceCoding::kColumns;
}

PackedChunk ChunkPacker::pack(Bytes chunk) {
  const uint64_t key = key_of(chunk);
  const auto columns = choose(chunk, key);
  PackedChunk made =
      columns ? PackedChunk{make_piece(PieceKind::kChunk, coding_of(*columns), packed(*columns, level_), chunk.size()),
                            columns->coded.metadata,
                            key,
                            columns->bases,
                            columns->coded.known_methods > kSameProgram,
                            columns->coded.types,
                            {}}
              : pack_bytes(chunk);
  made.reach = event_reach(chunk);
  return made;
}

PackedChunk ChunkPacker::pack_bytes(Bytes bytes) const {
  if (auto old = pack_old_chunks(bytes)) return std::move(*old);
  return {make_piece(PieceKind::kChunk, bytes, small_level(level_)), {}, 0, {}, false, 0, {}};
}

// Nothing: they are none of version 0.9, or the archive's readers do not know them.
std::optional<PackedChunk> ChunkPacker::pack_old_chunks(Bytes bytes) const {
  if (writer_.catalogue().version < kOldChunksVersion) return std::nullopt;
  auto coded = encode_old_chunks(bytes, news());
  if (!coded) return std::nullopt;
  const std::vector<uint8_t> packed = pack_blocks(coded->blocks, level_, nullptr);
  return PackedChunk{make_piece(PieceKind::kChunk, PieceCoding::kOldColumns, packed, bytes.size()),
                     std::move(coded->metadata),
                     0,
                     {},
                     false,
                     0,
                     {}};
}

base::Result<Part> ChunkPacker::write(const PackedChunk& packed) {
  Part part;
  part.bases = packed.bases;
  part.same_program = packed.same_program && tells_program();
  part.early_ns = packed.reach.early_ns;
  part.late_ns = packed.reach.late_ns;
  part.far = packed.reach.far;
  for (const Bytes content : packed.metadata) {
    const auto at = writer_.add_metadata(content, level_);
    if (!at) return at.error();
    part.metadata.push_back(*at);
  }
  const auto at = writer_.add_piece(packed.piece);
  if (!at) return at.error();
  part.piece = *at;
  assert((packed.metadata.empty() || packed.types < part.metadata.size()) && "types are those of one of its metadata");
  if (packed.key != 0)
    written_.push_back({{packed.key, {part.piece, part.metadata[packed.types]}, read_head(packed.piece)->size},
                        packed.bases,
                        part.same_program});
  return part;
}

void ChunkPacker::learn() {
  for (const Written& each : written_)
    each.bases.empty() ? shelf_.add(each.chunk) : shelf_.use(each.chunk, each.bases, each.same_program);
  written_.clear();
}

}  // namespace jfr::archive
