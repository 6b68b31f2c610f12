// SPDX-License-Identifier: Apache-2.0
// Which chunks of several files, or members of an archive, stand there more than once, as in dumps of one JVM that overlap: one of them is taken, the
// first that is whole; of one that was copied while it was written, the longest. Of one file all are, as by every other reader.
#pragma once

#include <cstddef>
#include <vector>

#include "format/reader/problems.h"
#include "jrec/input/input.h"

namespace jrec {

class ChunkCopies {
 public:
  ChunkCopies() = default;
  // By when chunks begin, how long they are and how large; of those that are mapped, by their bytes. Of others of one time by
  // their events: members of an archive are restored for that, as few have one.
  // Noted: where the bytes of two are not the same, and one of them is damaged.
  ChunkCopies(Input& input, jfr::read::Problems& problems);

  bool is_copy(size_t stretch) const { return stretch < taken_.size() && taken_[stretch] != stretch; }
  size_t count() const { return count_; }  // that are left out
  // Where else it stands, for one whose bytes are damaged.
  std::vector<size_t> copies_of(size_t stretch) const;

 private:
  enum class Which { kAlike, kFirst, kSecond, kBoth };
  static Which compare(Input& input, size_t first, size_t second);
  bool is_rewritten(Input& input, size_t first, size_t second);
  void find_equals(Input& input, jfr::read::Problems& problems);
  static bool is_early_copy(Input& input, size_t shorter, size_t longer);
  void find_early_copies(Input& input);
  void leave_out(size_t stretch, size_t for_this);

  std::vector<size_t> taken_;  // by stretch: which is taken in its place
  size_t count_ = 0;
};

}  // namespace jrec
