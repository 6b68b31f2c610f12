// SPDX-License-Identifier: Apache-2.0
#include "format/archive/piece.h"

#include <lzma.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "format/archive/fixed_number.h"
#include "format/archive/zstd_frame.h"

namespace jfr::archive {
namespace {

constexpr int kXzLevel = 12;                // of zstd, from which on xz is tried
constexpr size_t kXzSurely = 16u << 10;     // bytes from which on zstd makes nothing smaller
constexpr uint64_t kXzMemory = 100u << 20;  // what preset 9 needs to unpack: 65 MiB

constexpr char kMagic[] = {'R', 'E', 'C', 'P'};
constexpr size_t kHashed = 32;  // bytes of the head that its own hash is of

// As `xz -9e` does it. Empty: it refused.
std::vector<uint8_t> xz_of(std::span<const uint8_t> content) {
  std::vector<uint8_t> packed(lzma_stream_buffer_bound(content.size()));
  size_t size = 0;
  const lzma_ret done = lzma_easy_buffer_encode(9 | LZMA_PRESET_EXTREME, LZMA_CHECK_NONE, nullptr, content.data(),
                                                content.size(), packed.data(), &size, packed.size());
  packed.resize(done == LZMA_OK ? size : 0);
  return packed;
}

bool take_xz(std::span<const uint8_t> stored, uint64_t size, std::vector<uint8_t>& content) {
  uint64_t memory = kXzMemory;
  size_t from = 0, to = 0;
  content.resize(size);
  return lzma_stream_buffer_decode(&memory, 0, nullptr, stored.data(), &from, stored.size(), content.data(), &to,
                                   content.size()) == LZMA_OK &&
         from == stored.size() && to == size;
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
                     bytes[4] <= static_cast<uint8_t>(PieceKind::kTable) &&
                     bytes[5] < static_cast<uint8_t>(PieceCoding::kCount);
  if (!known) return std::nullopt;
  return PieceHead{static_cast<PieceKind>(bytes[4]), static_cast<PieceCoding>(bytes[5]), get64(&bytes[8]),
                   get64(&bytes[16]), get64(&bytes[24])};
}

std::vector<uint8_t> make_piece(PieceKind kind, PieceCoding coding, std::span<const uint8_t> stored, uint64_t size) {
  const PieceHeadBytes head = write_head({kind, coding, stored.size(), size, hash_of(stored)});
  std::vector<uint8_t> piece(head.size() + stored.size());
  std::ranges::copy(stored, std::ranges::copy(head, piece.begin()).out);
  return piece;
}

std::vector<uint8_t> make_piece(PieceKind kind, std::span<const uint8_t> content, int level) {
  std::vector<uint8_t> xz, zstd;
  if (kind == PieceKind::kChunk && level >= kXzLevel) xz = xz_of(content);
  if (xz.empty() || content.size() < kXzSurely) append_zstd(content, level, {}, zstd);
  const bool xz_is_smaller = !xz.empty() && (zstd.empty() || xz.size() < zstd.size());
  const std::vector<uint8_t>& packed = xz_is_smaller ? xz : zstd;
  if (packed.empty() || packed.size() >= content.size())
    return make_piece(kind, PieceCoding::kStored, content, content.size());
  return make_piece(kind, xz_is_smaller ? PieceCoding::kXz : PieceCoding::kZstd, packed, content.size());
}

std::optional<std::vector<uint8_t>> unpack_piece(const PieceHead& head, std::span<const uint8_t> stored,
                                                 uint64_t limit) {
  if (stored.size() != head.stored || hash_of(stored) != head.hash || head.size > limit) return std::nullopt;
  std::vector<uint8_t> content;
  switch (head.coding) {
    case PieceCoding::kStored: content.assign(stored.begin(), stored.end()); break;
    case PieceCoding::kZstd:
      if (!take_zstd(stored, head.size, {}, content)) return std::nullopt;
      break;
    case PieceCoding::kXz:
      if (!take_xz(stored, head.size, content)) return std::nullopt;
      break;
    default: return std::nullopt;
  }
  if (content.size() != head.size) return std::nullopt;
  return content;
}

}  // namespace jfr::archive
