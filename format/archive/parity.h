// SPDX-License-Identifier: Apache-2.0
// Parity gives back what damage took from an archive. The file is cut into blocks of 4096 bytes. A band is a run of
// blocks, dealt out to columns like cards; a parity piece has a hash of each block, which tells where damage is, and of
// each column the sum (exclusive or) of its blocks, which gives any one of them back:
//
//   band of 10 blocks in 2 columns     column 0: blocks 0 2 4 6 8      sum = 0 ^ 2 ^ 4 ^ 6 ^ 8, so 4 = sum ^ 0 ^ 2 ^ 6 ^ 8
//                                     column 1: blocks 1 3 5 7 9
//
// Neighbours are of different columns: as many blocks in a row as there are columns may be lost. Parity begins at a
// block's begin and shares no block with what it covers, so one block of damage hits one of the two.
//
//   from | piece piece ... | zeros | PARITY        a band, and behind it the piece (piece.h) whose stored bytes are
//
//     u64 from, to        the band's bytes; from begins a block, to need not end one
//     u64 at              where this piece begins: copies elsewhere are none
//     u64 end             where the END (catalogue.h) begins that it stands behind; 0 inside a commit
//     u64 hash            of each block; of the last only what the band has of it
//     u64 hash            of each sum
//     u64 hash            of all of the above
//     the sums            together no longer than the band: behind it there is nothing to sum up
//     zeros               up to the next block; or, behind an END, its kEndTail
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/source.h"

namespace jfr::archive {

inline constexpr uint64_t kBlockBytes = 4096;
// So parity takes one part in so many. A band has a column for every so many blocks that it has whole, and one at least.
inline constexpr uint64_t kBlocksPerColumn = 64;
// A band is closed by its parity once it is so long. What is behind the last one is a band, too, whose parity each
// commit writes anew.
inline constexpr uint64_t kBandBytes = 1024 * kBlockBytes;

constexpr uint64_t block_end(uint64_t at) { return (at + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

// What a parity piece covers, and where it has what it needs for that.
struct Band {
  uint64_t from = 0, to = 0;
  uint64_t at = 0, piece_end = 0;  // of the parity piece
  uint64_t end = 0;
  std::span<const uint8_t> hashes, sums;  // sums: shorter where the file is cut

  uint64_t blocks() const { return (to - from + kBlockBytes - 1) / kBlockBytes; }
  uint64_t columns() const { return std::max<uint64_t>(1, blocks() / kBlocksPerColumn); }
  bool covers(uint64_t place) const { return place >= from && place < to; }
};

// The parity of archive[from, to), to begin at `at`, with its head; end: as above.
std::vector<uint8_t> make_parity(const Source& archive, uint64_t from, uint64_t to, uint64_t at, uint64_t end);
// How long that is.
uint64_t parity_size(uint64_t from, uint64_t to, uint64_t end);

// The band of the parity piece that begins there. Nothing where none does, or where its numbers are damaged.
std::optional<Band> band_at(const Source& archive, uint64_t at);
// All of an archive, in their order. Looks at each block.
std::vector<Band> bands_of(const Source& archive);

// Blocks of a band count from its begin.
std::span<const uint8_t> block_of(const Source& archive, const Band& band, uint64_t block);
bool is_whole(const Source& archive, const Band& band, uint64_t block);
bool sum_is_whole(const Band& band, uint64_t column);
// The block as it was. Nothing: another one of its column is damaged as well.
std::optional<std::vector<uint8_t>> mend(const Source& archive, const Band& band, uint64_t block);

}  // namespace jfr::archive
