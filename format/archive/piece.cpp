// SPDX-License-Identifier: Apache-2.0
#include "format/archive/piece.h"

#include <xxhash.h>
#include <zstd.h>

#include <cstring>

namespace jfr::archive {
namespace {

constexpr char kMagic[] = {'R', 'E', 'C', 'P'};
constexpr size_t kHashed = 32;  // bytes of the head that its own hash is of

void put64(uint64_t value, uint8_t* to) {
  for (int i = 0; i < 8; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t get64(const uint8_t* from) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= uint64_t{from[i]} << (8 * i);
  return value;
}

}  // namespace

uint64_t hash_of(std::span<const uint8_t> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

PieceHeadBytes write_head(const PieceHead& head) {
  PieceHeadBytes bytes{};
  std::memcpy(bytes.data(), kMagic, sizeof kMagic);
  bytes[4] = static_cast<uint8_t>(head.kind);
  bytes[5] = static_cast<uint8_t>(head.coding);
  put64(head.stored, &bytes[8]);
  put64(head.size, &bytes[16]);
  put64(head.hash, &bytes[24]);
  put64(hash_of(std::span<const uint8_t>(bytes).first(kHashed)), &bytes[kHashed]);
  return bytes;
}

std::optional<PieceHead> read_head(std::span<const uint8_t> bytes) {
  if (bytes.size() < kPieceHeadBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) return std::nullopt;
  if (get64(&bytes[kHashed]) != hash_of(bytes.first(kHashed))) return std::nullopt;
  const bool known = bytes[4] >= static_cast<uint8_t>(PieceKind::kChunk) &&
                     bytes[4] <= static_cast<uint8_t>(PieceKind::kEnd) &&
                     bytes[5] < static_cast<uint8_t>(PieceCoding::kCount);
  if (!known) return std::nullopt;
  return PieceHead{static_cast<PieceKind>(bytes[4]), static_cast<PieceCoding>(bytes[5]), get64(&bytes[8]),
                   get64(&bytes[16]), get64(&bytes[24])};
}

std::vector<uint8_t> make_piece(PieceKind kind, PieceCoding coding, std::span<const uint8_t> stored, uint64_t size) {
  const PieceHeadBytes head = write_head({kind, coding, stored.size(), size, hash_of(stored)});
  std::vector<uint8_t> piece(head.begin(), head.end());
  piece.insert(piece.end(), stored.begin(), stored.end());
  return piece;
}

std::vector<uint8_t> make_piece(PieceKind kind, std::span<const uint8_t> content, int level) {
  std::vector<uint8_t> packed(ZSTD_compressBound(content.size()));
  const size_t size = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), level);
  if (ZSTD_isError(size) || size >= content.size())
    return make_piece(kind, PieceCoding::kStored, content, content.size());
  return make_piece(kind, PieceCoding::kZstd, std::span<const uint8_t>(packed).first(size), content.size());
}

std::optional<std::vector<uint8_t>> unpack_piece(const PieceHead& head, std::span<const uint8_t> stored,
                                                 uint64_t limit) {
  if (stored.size() != head.stored || hash_of(stored) != head.hash || head.size > limit) return std::nullopt;
  if (head.coding == PieceCoding::kStored) {
    if (head.size != head.stored) return std::nullopt;
    return std::vector<uint8_t>(stored.begin(), stored.end());
  }
  if (head.coding != PieceCoding::kZstd) return std::nullopt;
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != head.size) return std::nullopt;
  std::vector<uint8_t> content(head.size);
  if (ZSTD_decompress(content.data(), content.size(), stored.data(), stored.size()) != head.size) return std::nullopt;
  return content;
}

}  // namespace jfr::archive
