// SPDX-License-Identifier: Apache-2.0
#include "format/archive/parity.h"

#include <array>
#include <cassert>

#include "format/archive/catalogue.h"
#include "format/archive/fixed_number.h"
#include "format/archive/piece_walk.h"

namespace jfr::archive {
namespace {

using Bytes = std::span<const uint8_t>;
using Block = std::array<uint8_t, kBlockBytes>;

constexpr size_t kFixedBytes = 4 * 8;  // from, to, at, end
constexpr size_t kHashBytes = 8;
constexpr uint64_t kAhead = uint64_t{1} << 20;  // that is read at a time where each block is looked at

uint64_t sums_size(const Band& band) { return std::min(band.columns() * kBlockBytes, band.to - band.from); }
uint64_t table_size(const Band& band) { return kFixedBytes + (band.blocks() + band.columns() + 1) * kHashBytes; }

Band band_of(uint64_t from, uint64_t to, uint64_t end) {
  assert(from < to && from % kBlockBytes == 0 && "a band begins a block, and is not empty");
  Band band;
  band.from = from;
  band.to = to;
  band.end = end;
  return band;
}

void add_to(Block& sum, Bytes block) {
  for (size_t i = 0; i < block.size(); ++i) sum[i] ^= block[i];
}

// As it is stored; what is not is zeros.
Bytes stored_sum(const Band& band, uint64_t column) {
  const size_t at = std::min<size_t>(band.sums.size(), column * kBlockBytes);
  return band.sums.subspan(at, std::min<size_t>(kBlockBytes, band.sums.size() - at));
}

uint64_t noted_hash(const Band& band, uint64_t index) { return get64(band.hashes.data() + index * kHashBytes); }

// Whether what follows a piece's head may be as long as these numbers make it.
bool fits(const Band& band, uint64_t at, uint64_t stored) {
  return band.at == at && band.from % kBlockBytes == 0 && band.from < band.to && band.to <= at &&
         table_size(band) <= stored;
}

}  // namespace

uint64_t parity_size(uint64_t from, uint64_t to, uint64_t end) {
  const Band band = band_of(from, to, end);
  const uint64_t size = kPieceHeadBytes + table_size(band) + sums_size(band);
  return end == 0 ? block_end(size) : size + kEndTail;
}

std::vector<uint8_t> make_parity(const Source& archive, uint64_t from, uint64_t to, uint64_t at, uint64_t end) {
  assert(to <= archive.size() && at % kBlockBytes == 0 && "parity begins a block, behind what it covers");
  const Band band = band_of(from, to, end);
  std::vector<Block> sums(band.columns());
  std::vector<uint8_t> stored;
  for (const uint64_t number : {from, to, at, end}) append64(number, stored);
  for (uint64_t i = 0; i < band.blocks(); ++i) {
    append64(hash_of(block_of(archive, band, i)), stored);
    add_to(sums[i % band.columns()], block_of(archive, band, i));
  }
  std::vector<uint8_t> all;
  for (const Block& sum : sums) all.insert(all.end(), sum.begin(), sum.end());
  all.resize(sums_size(band));
  Band made = band;
  made.sums = all;
  for (uint64_t column = 0; column < band.columns(); ++column) append64(hash_of(stored_sum(made, column)), stored);
  append64(hash_of(stored), stored);
  stored.insert(stored.end(), all.begin(), all.end());
  if (end == 0) {
    stored.resize(parity_size(from, to, end) - kPieceHeadBytes);
  } else {
    const Bytes tail = archive.read(to - kEndTail, kEndTail);  // the END's own
    stored.insert(stored.end(), tail.begin(), tail.end());
  }
  return make_piece(PieceKind::kParity, PieceCoding::kStored, stored, stored.size());
}

std::optional<Band> band_at(const Source& archive, uint64_t at) {
  const auto piece = piece_at(archive, at);
  if (!piece || piece->head.kind != PieceKind::kParity || piece->stored.size() < kFixedBytes) return std::nullopt;
  if (archive.read(at + kPieceHeadBytes, piece->stored.size()).empty()) return std::nullopt;
  Band band;
  size_t cursor = 0;
  for (uint64_t* number : {&band.from, &band.to, &band.at, &band.end}) take64(piece->stored, cursor, *number);
  if (!fits(band, at, piece->stored.size())) return std::nullopt;
  const size_t hashed = table_size(band) - kHashBytes;
  if (get64(piece->stored.data() + hashed) != hash_of(piece->stored.first(hashed))) return std::nullopt;
  band.hashes = piece->stored.subspan(kFixedBytes, hashed - kFixedBytes);
  const Bytes behind = piece->stored.subspan(table_size(band));
  band.sums = behind.first(std::min<uint64_t>(sums_size(band), behind.size()));
  band.piece_end = at + kPieceHeadBytes + piece->head.stored;
  return band;
}

std::vector<Band> bands_of(const Source& archive) {
  std::vector<Band> bands;
  for (uint64_t at = kBlockBytes; at < archive.size(); at += kBlockBytes) {
    if (at % kAhead == kBlockBytes && archive.read(at, kAhead).empty()) break;
    if (auto band = band_at(archive, at)) bands.push_back(*band);
  }
  return bands;
}

Bytes block_of(const Source& archive, const Band& band, uint64_t block) {
  const uint64_t at = band.from + block * kBlockBytes;
  assert(at < band.to && "the band has this block");
  return archive.read(at, std::min(kBlockBytes, band.to - at));
}

bool is_whole(const Source& archive, const Band& band, uint64_t block) {
  return hash_of(block_of(archive, band, block)) == noted_hash(band, block);
}

bool sum_is_whole(const Band& band, uint64_t column) {
  return hash_of(stored_sum(band, column)) == noted_hash(band, band.blocks() + column);
}

std::optional<std::vector<uint8_t>> mend(const Source& archive, const Band& band, uint64_t block) {
  const uint64_t column = block % band.columns();
  if (!sum_is_whole(band, column) || archive.read(band.from, band.to - band.from).empty()) return std::nullopt;
  Block sum{};
  add_to(sum, stored_sum(band, column));
  for (uint64_t i = column; i < band.blocks(); i += band.columns())
    if (i != block) add_to(sum, block_of(archive, band, i));
  const Bytes mended = Bytes(sum).first(block_of(archive, band, block).size());
  if (hash_of(mended) != noted_hash(band, block)) return std::nullopt;
  return std::vector<uint8_t>(mended.begin(), mended.end());
}

}  // namespace jfr::archive
