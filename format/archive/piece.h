// SPDX-License-Identifier: Apache-2.0
// A piece is what an archive is made of: forty bytes of head, then its content. Numbers are little-endian.
//
//    0  "RECP"
//    4  u8 kind, u8 coding, u16 0
//    8  u64 stored: bytes that follow the head
//   16  u64 size: of the content when it is unpacked
//   24  u64 XXH3 of the stored bytes
//   32  u64 XXH3 of these 32 bytes
//
// A head can be believed by itself, so pieces can be passed over without being read, and found again behind damage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jfr::archive {

enum class PieceKind : uint8_t {
  kChunk = 1,  // a chunk of a recording, or other bytes of a file
  kMetadata,   // content of a metadata event, which chunks refer to
  kMember,     // member.h
  kEnd,        // the end of a commit: catalogue.h
  kParity,     // what mends damage: parity.h
  kTable,      // members of several commits: member_table.h
};

enum class PieceCoding : uint8_t {
  kStored,       // as it is
  kZstd,         // one zstd frame
  kColumns,      // chunk_codec.h, metadata_codec.h
  kPatch,        // metadata_piece.h
  kXz,           // an .xz stream: bytes that are no chunk, if that is smallest
  kOldColumns,   // old_chunk_codec.h
  kWordColumns,  // kColumns without a base, packed with words.h
  kCount,
};

constexpr bool is_columns(PieceCoding coding) {
  return coding == PieceCoding::kColumns || coding == PieceCoding::kWordColumns;
}

inline constexpr size_t kPieceHeadBytes = 40;

struct PieceHead {
  PieceKind kind = PieceKind::kChunk;
  PieceCoding coding = PieceCoding::kStored;
  uint64_t stored = 0, size = 0, hash = 0;
};

using PieceHeadBytes = std::array<uint8_t, kPieceHeadBytes>;
PieceHeadBytes write_head(const PieceHead& head);

// Nothing when these are not the bytes of a whole head.
std::optional<PieceHead> read_head(std::span<const uint8_t> bytes);

uint64_t hash_of(std::span<const uint8_t> bytes);

// The content in whatever is smallest, kStored, kZstd or kXz, with its head in front.
std::vector<uint8_t> make_piece(PieceKind kind, std::span<const uint8_t> content, int level);

// Bytes that are packed already.
std::vector<uint8_t> make_piece(PieceKind kind, PieceCoding coding, std::span<const uint8_t> stored, uint64_t size);

// The content of a piece of kStored, kZstd or kXz. Nothing when it is damaged, or larger than limit.
std::optional<std::vector<uint8_t>> unpack_piece(const PieceHead& head, std::span<const uint8_t> stored,
                                                 uint64_t limit);

}  // namespace jfr::archive
