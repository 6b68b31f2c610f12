// SPDX-License-Identifier: Apache-2.0
// The chunks of a file for a range-for, in the order of the file: see RecordingFile::chunks().
//
// An input range: it can be gone through once, and holds one chunk at a time. What points into a chunk is good until the next step.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"

namespace jfr::read {

class ChunkRange {
 public:
  ChunkRange(MappedFile& file, Problems& problems)
      : file_(file), problems_(problems), scanner_(file.bytes(), problems) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = Chunk;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(ChunkRange& range) : range_(&range) {}
    Chunk& operator*() const { return *range_->chunk_; }
    Iterator& operator++() {
      range_->step();
      return *this;
    }
    void operator++(int) { range_->step(); }
    bool operator==(std::default_sentinel_t) const { return !range_->chunk_; }

   private:
    ChunkRange* range_;
  };

  Iterator begin() {
    step();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
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
