// SPDX-License-Identifier: Apache-2.0
// ChunkScanner finds the chunks of a file, one after the other, and does not lose its way.
//
//   file:  [chunk][chunk] damage [chunk][half a chunk
//           yield  yield  note    yield  yield (cut) + note
//
// A chunk normally ends where its header says. When that place is outside the file, or no chunk starts there, or the
// header claims nonsense, the chunk ends at the next plausible header, or with the file. Bytes that belong to no chunk
// are noted once and passed over.
//
// Plausible is more than the magic: checkpoints may carry a copy of the header as a constant. A candidate must point at
// an event of type 0 where its metadata is and at one of type 1 where its checkpoint is, as far as these lie inside the
// file. A copy whose own numbers lead back to the checkpoint that holds it is none, however little of the file is left.
//
// A file may come in stretches, none of which cuts a chunk (archives keep chunks apart): go_on() with each, next()
// until there is none. Offsets are always those in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "format/reader/chunk_header.h"
#include "format/reader/problems.h"

namespace jfr::read {

// Where a chunk is, and how much of it is there. bytes() of it may be read; the header may claim more.
struct ChunkExtent {
  uint64_t offset = 0;  // in the file, whatever stretch of it the bytes are in
  uint64_t size = 0;    // bytes that exist and belong to it, header included
  ChunkHeader header;
  bool whole = true;  // the file has all that the header promises
};

class ChunkScanner {
 public:
  // Offsets inside a chunk are kept in 32 bits.
  static constexpr uint64_t kMaxChunkSize = 0xffffffff;

  ChunkScanner(std::span<const uint8_t> file, Problems& problems) : file_(file), problems_(problems) {}
  explicit ChunkScanner(Problems& problems) : problems_(problems) {}

  std::optional<ChunkExtent> next();

  // The next stretch of a file, which begins there. `alone`: it is all of the file.
  void go_on(std::span<const uint8_t> stretch, uint64_t offset, bool alone);

 private:
  ChunkExtent extent_of(const ChunkHeader& header);
  uint64_t next_header(uint64_t from, uint64_t to) const;  // `to` when there is none
  bool ends_well(uint64_t size) const;
  uint64_t tail_of(const ChunkHeader& header, uint64_t size) const;
  bool plausible(uint64_t at) const;
  void note_gap(uint64_t from, uint64_t to);
  void note_version(base::Error error, uint64_t resume);  // the next header is at resume

  std::span<const uint8_t> file_;  // or the stretch
  uint64_t base_ = 0;              // where that begins in the file
  bool alone_ = true;
  Problems& problems_;
  uint64_t at_ = 0;                // from the base
  bool after_unfinished_ = false;  // bytes behind an unfinished chunk are a segment in flight, not damage
};

}  // namespace jfr::read
