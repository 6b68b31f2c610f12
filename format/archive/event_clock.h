// SPDX-License-Identifier: Apache-2.0
// EventClock guesses when the next event starts: with the one before, or where that ended.
//
//   scan 100 +40, mark 141 +9, sweep 152 +20     one behind the other: 101, 11 behind the start, 1 and 2 behind the end
//
// Each column of starts goes by what said less of its last ones. Who writes and who reads learn the same.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "format/archive/number_codec.h"

namespace jfr::archive {

class EventClock {
 public:
  // False, as it is at first: always with the one before.
  void go_by_ends(bool ends) { ends_ = ends; }

  // A start to what is told of it, and back. stream: of the column.
  uint64_t code(uint32_t stream, uint64_t start) {
    const uint64_t code = zigzag(start - guess(stream));
    learn(stream, start);
    return code;
  }
  uint64_t start(uint32_t stream, uint64_t code) {
    const uint64_t start = guess(stream) + unzigzag(code);
    learn(stream, start);
    return start;
  }
  // How long the event took that started last.
  void lasts(uint64_t duration) { end_ = start_ + duration; }

 private:
  static constexpr int kMemory = 16;  // starts that count, more or less

  uint64_t guess(uint32_t stream) const {
    return ends_ && end_ != start_ && stream < saved_.size() && saved_[stream] > 0 ? end_ : start_;
  }
  void learn(uint32_t stream, uint64_t start) {
    if (ends_ && end_ != start_) {
      if (saved_.size() <= stream) saved_.resize(stream + 1);
      int& saved = saved_[stream];
      saved += kMemory * (std::bit_width(zigzag(start - start_)) - std::bit_width(zigzag(start - end_)));
      saved -= saved / kMemory;
    }
    start_ = end_ = start;
  }

  bool ends_ = false;
  uint64_t start_ = 0, end_ = 0;
  std::vector<int> saved_;  // by column: bits that ends save of late, more or less
};

}  // namespace jfr::archive
