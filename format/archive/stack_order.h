// SPDX-License-Identifier: Apache-2.0
// The order in which HotSpot writes the stacks of a pool: as its table of them has them, by buckets, and the newest of a
// bucket first. Their keys count up, so stacks that stand by their keys are more alike, and need no keys; the order
// follows.
//
//   hash of a stack   1; then of each frame, innermost first, times 31 and its method, times 31 and its bytecode index,
//                     times 31 and its type
//   bucket            hash modulo 2053; of 32 bits in JDKs up to some 21, of 64 bits later
//
// Seen in recordings of JDK 17 and 25: all of 30,000 stacks, and all but 34 of 66,000.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/wire_frames.h"

namespace jfr::archive {

enum class StackOrder : uint64_t { kAsTold, kBuckets32, kBuckets64, kCount };

// A stack of a pool. at: what the caller knows it by.
struct PooledStack {
  uint64_t key = 0, hash = 0;
  size_t at = 0;
};

// From the order of their keys to that one.
void put_in_order(std::vector<PooledStack>& stacks, StackOrder order);
// The one that they are in; kAsTold if it is none, or if their keys count up anyway.
StackOrder order_of(std::span<const PooledStack> stacks);

// Of stacks that share their outermost frames: a hash for each depth, the outermost frame first.
class StackHash {
 public:
  size_t depth() const { return steps_.size() - 1; }
  // The frames below go.
  void cut(size_t depth) { steps_.resize(depth + 1); }
  void push(uint64_t frame) {
    const Step& below = steps_.back();
    steps_.push_back({below.sum + frame * below.power, below.power * kFrame});
  }
  uint64_t hash() const { return steps_.back().sum + steps_.back().power; }

  // What a frame adds.
  static uint64_t of(const StackFrame& frame) { return (frame[0] * kOne + frame[2]) * kOne + frame[3]; }

  static constexpr uint64_t kFrame = uint64_t{31} * 31 * 31;  // what goes on with a hash for each frame

 private:
  static constexpr uint64_t kOne = 31;
  struct Step {
    uint64_t sum = 0, power = 1;  // of the frames so far; what the next one counts
  };
  std::vector<Step> steps_{1};
};

}  // namespace jfr::archive
