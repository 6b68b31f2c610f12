// SPDX-License-Identifier: Apache-2.0
#include "format/archive/call_memory.h"

#include <algorithm>
#include <cassert>

namespace jfr::archive {

uint32_t CallMemory::rank(const Caller& caller, const Guess& guess, uint32_t frame) const {
  uint32_t rank = 0;
  for (const uint32_t each : callees(caller.frame)) {
    if (each == 0) break;
    if (each != guess.expected) ++rank;
    if (each == frame) return rank;
  }
  return 0;
}

uint32_t CallMemory::at_rank(const Caller& caller, const Guess& guess, uint32_t rank) const {
  assert(rank > 0 && "ranks count from 1; 0 stands for a frame that has none");
  for (const uint32_t each : callees(caller.frame))
    if (each != 0 && each != guess.expected && --rank == 0) return each;
  return 0;
}

void CallMemory::learn(const Caller& caller, const Guess& guess, uint32_t frame) {
  *guess.last = frame;
  Callees& callees = by_one_[caller.frame].callees;
  if (callees[0] == frame) return;
  auto place = std::ranges::find(callees, frame);
  if (place == callees.end()) --place;
  std::move_backward(callees.begin(), place, place + 1);
  callees[0] = frame;
}

CallMemory CallMemory::renumbered(const std::vector<uint32_t>& numbers) const {
  CallMemory made;
  for (uint32_t frame = 0; frame < by_one_.size(); ++frame)
    for (size_t i = kRanks; i-- > 0;) {
      const uint32_t callee = numbers[by_one_[frame].callees[i]];
      if (callee == 0 || (frame != 0 && numbers[frame] == 0)) continue;
      if (made.by_one_.size() <= numbers[frame]) made.by_one_.resize(numbers[frame] + 1);
      Callees& callees = made.by_one_[numbers[frame]].callees;
      std::move_backward(callees.begin(), callees.end() - 1, callees.end());
      callees[0] = callee;
    }
  for (const auto& [key, value] : by_two_) {
    const auto below = static_cast<uint32_t>(key >> 32), frame = static_cast<uint32_t>(key);
    if (numbers[value] == 0 || (below != 0 && numbers[below] == 0) || (frame != 0 && numbers[frame] == 0)) continue;
    made.by_two_.find_or_add(key_of({numbers[below], numbers[frame]})).value = numbers[value];
  }
  return made;
}

void CallMemory::add_older(const CallMemory& older) {
  if (by_one_.size() < older.by_one_.size()) by_one_.resize(older.by_one_.size());
  for (size_t frame = 0; frame < older.by_one_.size(); ++frame) {
    Callees& callees = by_one_[frame].callees;
    for (const uint32_t each : older.by_one_[frame].callees) {
      if (std::ranges::find(callees, each) != callees.end()) continue;
      const auto free = std::ranges::find(callees, 0u);
      if (each != 0 && free != callees.end()) *free = each;
    }
  }
  for (const auto& [key, value] : older.by_two_) {
    uint32_t& last = by_two_.find_or_add(key).value;
    if (last == 0) last = value;
  }
}

}  // namespace jfr::archive
