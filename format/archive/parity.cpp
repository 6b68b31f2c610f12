// SPDX-License-Identifier: Apache-2.0
#include "format/archive/parity.h"

#include <cassert>

#include "format/archive/end_content.h"
#include "format/archive/fixed_number.h"
#include "format/archive/piece_walk.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;
using Block = std::vector<uint8_t>;

constexpr size_t kFixedBytes = 4 * 8;  // from, to, at, end
constexpr size_t kHashBytes = 8;
constexpr uint64_t kAhead = uint64_t{1} << 20;  // that is read at a time where each block is looked at

uint64_t sums_size(const Band& band) { return std::min(band.columns() * band.block, band.to - band.from); }
uint64_t table_size(const Band& band) { return kFixedBytes + (band.blocks() + band.columns() + 1) * kHashBytes; }

uint64_t block_bytes(uint64_t band_bytes, BlockSizes sizes) {
  uint64_t block = sizes == BlockSizes::kOne ? kBlockBytes : kLeastBlockBytes;
  while (block < kBlockBytes && block * kMostSmallBlocks < band_bytes) block *= 2;
  return block;
}

uint64_t parity_size(const Band& band) {
  const uint64_t size = kPieceHeadBytes + table_size(band) + sums_size(band);
  return band.end == 0 ? block_end(size) : size + kEndTail;
}

void add_to(Block& sum, Bytes block) {
  for (size_t i = 0; i < block.size(); ++i) sum[i] ^= block[i];
}

std::vector<Block> sums_of(const Source& archive, const Band& band) {
  std::vector<Block> sums(band.columns(), Block(band.block));
  for (uint64_t i = 0; i < band.blocks(); ++i) add_to(sums[i % sums.size()], block_of(archive, band, i));
  return sums;
}

// As it is stored; what is not is zeros.
Bytes stored_sum(const Band& band, uint64_t column) {
  const size_t at = std::min<size_t>(band.sums.size(), column * band.block);
  return band.sums.subspan(at, std::min<size_t>(band.block, band.sums.size() - at));
}

uint64_t noted_hash(const Band& band, uint64_t index) { return get64(band.hashes.data() + index * kHashBytes); }

// Whether what follows a piece's head may be as long as these numbers make it.
bool fits(const Band& band, uint64_t at, uint64_t stored) {
  return band.at == at && band.from % kBlockBytes == 0 && band.from < band.to && band.to <= at &&
         table_size(band) <= stored;
}

// By blocks of these sizes. The hash is where they have it, so it tells.
std::optional<Band> read_band(const PlacedPiece& piece, BlockSizes sizes) {
  Band band;
  size_t cursor = 0;
  for (uint64_t* number : {&band.from, &band.to, &band.at, &band.end}) take64(piece.stored, cursor, *number);
  band.block = block_bytes(band.to - band.from, sizes);
  if (!fits(band, piece.at, piece.stored.size())) return std::nullopt;
  const size_t hashed = table_size(band) - kHashBytes;
  if (get64(piece.stored.data() + hashed) != hash_of(piece.stored.first(hashed))) return std::nullopt;
  band.hashes = piece.stored.subspan(kFixedBytes, hashed - kFixedBytes);
  const Bytes behind = piece.stored.subspan(table_size(band));
  band.sums = behind.first(std::min<uint64_t>(sums_size(band), behind.size()));
  band.piece_end = piece.at + kPieceHeadBytes + piece.head.stored;
  return band;
}

}  // namespace

Band new_band(uint64_t from, uint64_t to, uint64_t end, BlockSizes sizes) {
  assert(from < to && from % kBlockBytes == 0 && "a band begins a block, and is not empty");
  Band band;
  band.from = from;
  band.to = to;
  band.end = end;
  band.block = block_bytes(to - from, sizes);
  band.at = block_end(to, band.block);
  band.piece_end = band.at + parity_size(band);
  return band;
}

std::vector<uint8_t> make_parity(const Source& archive, const Band& band) {
  assert(band.to <= archive.size() && band.at % band.block == 0 && "parity begins a block, behind what it covers");
  std::vector<uint8_t> stored, all;
  for (const uint64_t number : {band.from, band.to, band.at, band.end}) append64(number, stored);
  for (uint64_t i = 0; i < band.blocks(); ++i) append64(hash_of(block_of(archive, band, i)), stored);
  for (const Block& sum : sums_of(archive, band)) all.insert(all.end(), sum.begin(), sum.end());
  all.resize(sums_size(band));
  Band made = band;
  made.sums = all;
  for (uint64_t column = 0; column < band.columns(); ++column) append64(hash_of(stored_sum(made, column)), stored);
  append64(hash_of(stored), stored);
  stored.insert(stored.end(), all.begin(), all.end());
  if (band.end != 0) {
    const Bytes tail = archive.read(band.to - kEndTail, kEndTail);  // the END's own
    stored.insert(stored.end(), tail.begin(), tail.end());
  }
  stored.resize(parity_size(band) - kPieceHeadBytes);
  return make_piece(PieceKind::kParity, PieceCoding::kStored, stored, stored.size());
}

std::optional<Band> band_at(const Source& archive, uint64_t at) {
  const auto piece = piece_at(archive, at);
  if (!piece || piece->head.kind != PieceKind::kParity || piece->stored.size() < kFixedBytes) return std::nullopt;
  if (archive.read(at + kPieceHeadBytes, piece->stored.size()).empty()) return std::nullopt;
  const auto band = read_band(*piece, BlockSizes::kByBand);
  return band ? band : read_band(*piece, BlockSizes::kOne);
}

std::optional<Band> band_of(const Source& archive, uint64_t from, uint64_t to) {
  if (from >= to) return std::nullopt;
  for (const BlockSizes sizes : {BlockSizes::kByBand, BlockSizes::kOne}) {
    const auto band = band_at(archive, new_band(from, to, 0, sizes).at);
    if (band && band->from == from && band->to == to) return band;
  }
  return std::nullopt;
}

std::vector<Band> bands_of(const Source& archive) {
  std::vector<Band> bands;
  for (uint64_t at = kLeastBlockBytes; at < archive.size(); at += kLeastBlockBytes) {
    if (at % kAhead == kLeastBlockBytes && archive.read(at, kAhead).empty()) break;
    if (auto band = band_at(archive, at)) bands.push_back(*band);
  }
  return bands;
}

Bytes block_of(const Source& archive, const Band& band, uint64_t number) {
  const uint64_t at = band.begin_of(number);
  assert(at < band.to && "the band has this block");
  return archive.read(at, std::min(band.block, band.to - at));
}

bool is_whole(const Source& archive, const Band& band, uint64_t number) {
  return hash_of(block_of(archive, band, number)) == noted_hash(band, number);
}

bool sum_is_whole(const Band& band, uint64_t column) {
  return hash_of(stored_sum(band, column)) == noted_hash(band, band.blocks() + column);
}

bool fill_is_whole(const Source& archive, const Band& band) {
  return std::ranges::all_of(archive.read(band.to, band.at - band.to), [](uint8_t byte) { return byte == 0; });
}

std::optional<std::vector<uint8_t>> mend(const Source& archive, const Band& band, uint64_t number) {
  const uint64_t column = number % band.columns();
  if (!sum_is_whole(band, column) || archive.read(band.from, band.to - band.from).empty()) return std::nullopt;
  Block sum(band.block);
  add_to(sum, stored_sum(band, column));
  for (uint64_t i = column; i < band.blocks(); i += band.columns())
    if (i != number) add_to(sum, block_of(archive, band, i));
  sum.resize(block_of(archive, band, number).size());
  return hash_of(sum) == noted_hash(band, number) ? std::optional(std::move(sum)) : std::nullopt;
}

}  // namespace jfr::archive
