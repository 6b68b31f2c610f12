// SPDX-License-Identifier: Apache-2.0
// The chunks of a file for a range-for, in the order of the file: see RecordingFile::chunks().
//
// An input range: it can be gone through once, and holds one chunk at a time. What points into a chunk is good until the next step.
#pragma once

#include <optional>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "format/reader/once_range.h"
#include "format/reader/problems.h"

namespace jfr::read {

class ChunkRange : public OnceRange<ChunkRange, Chunk> {
 public:
  ChunkRange(MappedFile& file, Problems& problems)
      : file_(file), problems_(problems), scanner_(file.bytes(), problems) {}

 private:
  friend OnceRange;
  Chunk& current() { return *chunk_; }
  bool is_over() const { return !chunk_; }
  void step() {
    if (chunk_) file_.let_go(chunk_->offset_in_file(), chunk_->bytes().size());
    chunk_.reset();
    if (const auto extent = scanner_.next()) chunk_.emplace(file_.bytes(), *extent, problems_);
  }

  MappedFile& file_;
  Problems& problems_;
  ChunkScanner scanner_;
  std::optional<Chunk> chunk_;
};

}  // namespace jfr::read
