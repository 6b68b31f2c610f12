// SPDX-License-Identifier: Apache-2.0
// Parity gives back what damage took from an archive. A band is a run of bytes of it, cut into blocks. These are dealt out
// to columns like cards; a parity piece has a hash of each block, which tells where damage is, and of each column the sum
// (exclusive or) of its blocks, which gives any one of them back:
//
//   band of 10 blocks in 2 columns     column 0: blocks 0 2 4 6 8      sum = 0 ^ 2 ^ 4 ^ 6 ^ 8, so 4 = sum ^ 0 ^ 2 ^ 6 ^ 8
//                                     column 1: blocks 1 3 5 7 9
//
// Neighbours are of different columns: as many blocks in a row as there are columns may be lost. Parity begins at a
// block's begin and shares no block with what it covers, so one block of damage hits one of the two.
//
// A block is 4096 bytes, of a small band less: its sum must not cost more than the band is worth.
//
//   from | piece piece ... | zeros | PARITY        a band, and behind it the piece (piece.h) whose stored bytes are
//
//     u64 from, to        the band's bytes; from is a multiple of 4096, to need not end a block
//     u64 at              where this piece begins: copies elsewhere are none
//     u64 end             where the END (catalogue.h) begins that it stands behind; 0 inside a commit
//     u64 hash            of each block; of the last only what the band has of it
//     u64 hash            of each sum
//     u64 hash            of all of the above
//     the sums            together no longer than the band: behind it there is nothing to sum up
//     zeros               up to the next multiple of 4096; or, behind an END, its kEndTail
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/source.h"

namespace jfr::archive {

inline constexpr uint64_t kBlockBytes = 4096, kLeastBlockBytes = 512;
// A band of up to 256 KiB has no more blocks than that.
inline constexpr uint64_t kMostSmallBlocks = 128;
// A band has a column for each of these that it has whole, and one at least. So parity takes one part in 64.
inline constexpr uint64_t kBytesPerColumn = 64 * kBlockBytes;
// A band is closed by its parity once it is so long. What is behind the last one is a band, too, whose parity each
// commit writes anew.
inline constexpr uint64_t kBandBytes = 1024 * kBlockBytes;

// Up to version 5 blocks of small bands are as large as others.
enum class BlockSizes { kOne, kByBand };

constexpr uint64_t block_end(uint64_t at, uint64_t block = kBlockBytes) { return (at + block - 1) / block * block; }

// What a parity piece covers, and where it has what it needs for that.
struct Band {
  uint64_t from = 0, to = 0;
  uint64_t end = 0;
  uint64_t block = kBlockBytes;           // bytes of a block
  uint64_t at = 0, piece_end = 0;         // of the parity piece
  std::span<const uint8_t> hashes, sums;  // sums: shorter where the file is cut

  uint64_t blocks() const { return (to - from + block - 1) / block; }
  uint64_t columns() const { return std::max<uint64_t>(1, blocks() * block / kBytesPerColumn); }
  bool covers(uint64_t place) const { return place >= from && place < to; }
  uint64_t begin_of(uint64_t number) const { return from + number * block; }
};

// With where its parity is to lie, and no hashes and sums yet.
Band new_band(uint64_t from, uint64_t to, uint64_t end, BlockSizes sizes);
// Its parity, with the piece's head: goes to band.at, and is as long as band.piece_end says.
std::vector<uint8_t> make_parity(const Source& archive, const Band& band);

// The band of the parity piece that begins there. Nothing where none does, or where its numbers are damaged.
std::optional<Band> band_at(const Source& archive, uint64_t at);
// That of these bytes, whose parity lies right behind them.
std::optional<Band> band_of(const Source& archive, uint64_t from, uint64_t to);
// All of an archive, in their order. Looks at each block.
std::vector<Band> bands_of(const Source& archive);

// Blocks of a band count from its begin.
std::span<const uint8_t> block_of(const Source& archive, const Band& band, uint64_t number);
bool is_whole(const Source& archive, const Band& band, uint64_t number);
bool sum_is_whole(const Band& band, uint64_t column);
bool fill_is_whole(const Source& archive, const Band& band);  // the zeros in front of its parity
// The block as it was. Nothing: another one of its column is damaged as well.
std::optional<std::vector<uint8_t>> mend(const Source& archive, const Band& band, uint64_t number);

}  // namespace jfr::archive
