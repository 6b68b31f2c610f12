// SPDX-License-Identifier: Apache-2.0
// Which chunks of an input stand in an earlier one of its files, too, as in dumps of one JVM that overlap: these are taken once. Where a file of
// its own has a chunk twice, both are taken, as by every other reader.
#pragma once

#include <cstddef>
#include <vector>

#include "jrec/input/input.h"

namespace jrec {

class ChunkCopies {
 public:
  ChunkCopies() = default;
  // By when chunks begin, how long they are and how large; of those that are mapped, by their bytes. Nothing is restored.
  explicit ChunkCopies(Input& input);

  bool is_copy(size_t stretch) const { return stretch < first_.size() && first_[stretch] != stretch; }
  size_t count() const { return count_; }
  // Where else it stands, for one whose bytes are damaged.
  std::vector<size_t> copies_of(size_t stretch) const;

 private:
  std::vector<size_t> first_;  // by stretch: which is taken in its place
  size_t count_ = 0;
};

}  // namespace jrec
