// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/start_word.h"

#include <algorithm>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

int64_t StartWord::read(uint64_t address) const {
  return static_cast<int64_t>(u64_at(address + static_cast<uint64_t>(int64_t{*offset_})));
}

void StartWord::begin(uint64_t address, int64_t absent_ticks, int64_t present_ticks) {
  address_ = address;
  words_.clear();
  looks_ = 0;
  for (int32_t offset = from_; offset < to_; offset += 8) {
    const auto value = static_cast<int64_t>(u64_at(address + static_cast<int64_t>(offset)));
    if (value > absent_ticks && value <= present_ticks) words_.push_back({offset, value});
  }
}

void StartWord::still() {
  ++looks_;
  std::erase_if(words_, [&](const Word& each) {
    return static_cast<int64_t>(u64_at(address_ + static_cast<int64_t>(each.offset))) != each.value;
  });
}

// Of one that was not seen again nothing is learned. Several words that no trial tells apart hold the same.
void StartWord::end() {
  if (looks_ == 0) return;
  const auto held = [&](int32_t offset) { return std::ranges::count(words_, offset, &Word::offset) != 0; };
  if (trials_ == 0)
    for (const Word& each : words_) common_.push_back(each.offset);
  else
    std::erase_if(common_, [&](int32_t offset) { return !held(offset); });
  if (common_.empty()) {
    trials_ = 0;
    ++failures_;
    return;
  }
  if (++trials_ >= kEnough || (trials_ > 1 && common_.size() == 1)) offset_ = common_.front();
}

}  // namespace rec::agent
