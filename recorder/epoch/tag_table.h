// SPDX-License-Identifier: Apache-2.0
// TagTable is a flat array of tag words indexed by a small id: 0, or the arena unit of the fact. Signal-safe but for
// reserve().
#pragma once

#include <atomic>
#include <cstdint>

#include "recorder/spool/limits.h"
#include "recorder/spool/reserved.h"

namespace rec {

class TagTable {
 public:
  // Takes what the system gives, at least kMinTagIds words.
  bool reserve(uint64_t ids) {
    for (; ids >= kMinTagIds; ids /= 2) {
      if (!memory_.reserve(ids * sizeof(uint32_t))) continue;
      words_ = static_cast<std::atomic<uint32_t>*>(memory_.get());
      count_ = ids;
      return true;
    }
    return false;
  }
  // Null: the id is beyond the table.
  std::atomic<uint32_t>* word(uint64_t id) const { return id < count_ ? &words_[id] : nullptr; }
  void clear() { memory_.clear(); }
  void leak() { memory_.leak(); }

 private:
  Reserved memory_;
  std::atomic<uint32_t>* words_ = nullptr;
  uint64_t count_ = 0;
};

}  // namespace rec
