// SPDX-License-Identifier: Apache-2.0
// The hash that stacks are found by. It goes from the root upwards: who knows the hash of a stack's lower part, which is
// most of it and stands still, goes on from there. Signal-safe.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "recorder/spool/facts.h"

namespace rec {

inline constexpr uint64_t kStackHashSeed = 0;

// Of the frames below, and then this one.
inline uint64_t stack_hash_with(uint64_t below, const Frame& frame) {
  uint64_t word;
  std::memcpy(&word, &frame, sizeof word);
  const uint64_t hash = (below ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

// Innermost first, as they lie in a stack.
inline uint64_t stack_hash_of(std::span<const Frame> frames) {
  uint64_t hash = kStackHashSeed;
  for (size_t i = frames.size(); i-- > 0;) hash = stack_hash_with(hash, frames[i]);
  return hash;
}

// Frames, innermost first, and the hash of all of them.
struct HashedFrames {
  std::span<const Frame> frames;
  uint64_t hash = kStackHashSeed;
};
inline HashedFrames hashed(std::span<const Frame> frames) { return {frames, stack_hash_of(frames)}; }

// Of a whole stack: truncated or not is two stacks.
inline uint64_t stack_hash(const HashedFrames& stack, bool truncated) {
  const uint64_t hash = (stack.hash ^ (stack.frames.size() * 2 + truncated)) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

}  // namespace rec
