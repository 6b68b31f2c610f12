// SPDX-License-Identifier: Apache-2.0
// ArchiveBytes are the bytes of an archive, mended as they are read: a piece that is damaged is given as it was, if its
// parity (parity.h) has what it needs for that. Nothing is looked at before it is asked for, and the file is not changed.
//
//   piece in the file --its hash is right--> as it lies there
//                     --it is not--> its blocks, the damaged ones from parity --now it is--> a copy, its owner the piece
//
// Any thread. The bytes must outlive it, and what it gives.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "format/archive/parity.h"
#include "format/archive/piece_walk.h"
#include "format/archive/source.h"

namespace jfr::archive {

class ArchiveBytes {
 public:
  ArchiveBytes(Source raw) : raw_(raw) {}                       // NOLINT: bytes are what an archive is
  ArchiveBytes(std::span<const uint8_t> raw) : raw_(raw) {}     // NOLINT: likewise
  ArchiveBytes(const std::vector<uint8_t>& raw) : raw_(raw) {}  // NOLINT: likewise
  ArchiveBytes(const ArchiveBytes&) = delete;
  ArchiveBytes& operator=(const ArchiveBytes&) = delete;

  const Source& raw() const { return raw_; }  // as they lie in the file
  uint64_t size() const { return raw_.size(); }

  // The piece that begins there: its head as it was; of its stored bytes the place, and no look at them.
  std::optional<PlacedPiece> piece(uint64_t at) const;
  // The same; its stored bytes are those that were written. Nothing, too, where they cannot be mended.
  std::optional<PlacedPiece> whole_piece(uint64_t at) const;

  // These bytes with what can be mended; no more than there are.
  std::vector<uint8_t> mended(uint64_t at, uint64_t size) const;
  // Where each block begins that was mended so far.
  std::set<uint64_t> mended_blocks() const;

  // Found when they are first needed, which takes a look at the whole file.
  const std::vector<Band>& bands() const;

 private:
  uint64_t mend_block(uint64_t place, uint64_t from, std::vector<uint8_t>& bytes) const;

  const Source raw_;
  mutable std::once_flag bands_once_;
  mutable std::vector<Band> bands_;
  mutable std::mutex mutex_;
  mutable std::set<uint64_t> mended_;
};

}  // namespace jfr::archive
