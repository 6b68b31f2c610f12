// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/stack_table.h"

namespace rec {

bool StackTable::reserve() {
  const uint64_t words = (uint64_t{1} << (kLastStackTableBits + 1)) - (uint64_t{1} << kFirstStackTableBits);
  if (!memory_.reserve(words * sizeof(Word))) return false;
  words_ = static_cast<Word*>(memory_.get());
  return true;
}

void StackTable::clear() {
  memory_.clear();
  newest_.store(0, std::memory_order_relaxed);
}

}  // namespace rec
