// SPDX-License-Identifier: Apache-2.0
// PairedCollections counts calls of System.gc() that are two collections each. On JDK 8 and 11 one call makes two under Parallel: a young one
// and, with the next number, one of the whole heap. Their events may stand in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

namespace jrec {

class PairedCollections {
 public:
  void add(uint64_t number, bool is_young) {
    std::set<uint64_t>& others = is_young ? whole_ : young_;
    if (others.erase(is_young ? number + 1 : number - 1) != 0) return void(++count_);
    std::set<uint64_t>& alone = is_young ? young_ : whole_;
    alone.insert(number);
    if (alone.size() > kMost) alone.erase(alone.begin());
  }
  uint64_t count() const { return count_; }  // of pairs

 private:
  static constexpr size_t kMost = 4096;

  std::set<uint64_t> young_, whole_;  // whose other half was not met; the last kMost of each
  uint64_t count_ = 0;
};

}  // namespace jrec
