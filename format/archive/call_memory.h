// SPDX-License-Identifier: Apache-2.0
// CallMemory knows which frames came behind which, so that few bits say which one comes next.
//
//   main run work close     behind run, above main: work      behind run: work      behind work, above run: close ...
//
//   CallMemory::Guess guess = calls.guess(caller);    guess.expected, calls.rank(caller, guess, frame)
//   calls.learn(caller, guess, frame);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "format/reader/key_table.h"

namespace jfr::archive {

// The two innermost frames so far: numbers, 0 for none.
struct Caller {
  uint32_t below = 0, frame = 0;
};

class CallMemory {
 public:
  static constexpr uint32_t kRanks = 8;
  using Callees = std::array<uint32_t, kRanks>;  // the last one first; 0: no more

  // What most likely comes next. Good until the next one is made.
  struct Guess {
    uint32_t* last = nullptr;  // behind both frames
    uint32_t expected = 0;     // 0: nothing came behind the caller so far
  };
  Guess guess(const Caller& caller) {
    if (by_one_.size() <= caller.frame) by_one_.resize(caller.frame + 1);
    Known& known = by_one_[caller.frame];
    if (known.below != caller.below) known = {known.callees, caller.below, by_two_.find_or_add(key_of(caller)).place};
    uint32_t& last = by_two_.at(known.place);
    return {&last, last != 0 ? last : known.callees[0]};
  }

  // Its place, from 1, among what came behind the caller's frame, without the expected one; 0: it is not there.
  uint32_t rank(const Caller& caller, const Guess& guess, uint32_t frame) const;
  // The frame of that rank; 0: there is none.
  uint32_t at_rank(const Caller& caller, const Guess& guess, uint32_t rank) const;

  void learn(const Caller& caller, const Guess& guess, uint32_t frame);

  // The same of frames by other numbers; calls go that one of these is 0 for.
  CallMemory renumbered(const std::vector<uint32_t>& numbers) const;
  // What was learned before, as far as nothing newer is known.
  void add_older(const CallMemory& older);

 private:
  static uint64_t key_of(const Caller& caller) { return uint64_t{caller.below} << 32 | caller.frame; }
  const Callees& callees(uint32_t frame) const {
    static constexpr Callees kNone{};
    return frame < by_one_.size() ? by_one_[frame].callees : kNone;
  }

  // Of a frame. Most have one frame below them, or the same as last time.
  struct Known {
    Callees callees{};
    uint32_t below = ~0u, place = 0;  // the frame below it that was asked for last, and its place in by_two_
  };

  std::vector<Known> by_one_;        // by frame
  read::KeyTable<uint32_t> by_two_;  // by key_of(); 0: asked for, and nothing came
};

}  // namespace jfr::archive
