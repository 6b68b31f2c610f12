// SPDX-License-Identifier: Apache-2.0
#include "format/archive/unread_frames.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "format/archive/wire_frames.h"
#include "format/reader/cursor.h"
#include "format/reader/high_bits.h"

namespace jfr::archive {
namespace {

constexpr size_t kIntegers = std::tuple_size_v<StackFrame>;  // of a frame
constexpr uint64_t kLowBits = 0x0101010101010101;

// Of eight bytes those that are below 0x80, as the lowest bit of each.
uint64_t low_bytes(const uint8_t* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return ~word >> 7 & kLowBits;
}

// Of kFrameBlock bytes those that are below 0x80, bit i for byte i.
uint32_t low_bytes_of_block(const uint8_t* from) {
  return ~static_cast<uint32_t>(read::high_bits_of_8(from) | read::high_bits_of_8(from + 8) << 8) & 0xffff;
}

int highest(uint32_t bits) { return std::bit_width(bits) - 1; }

}  // namespace

bool are_plain_frames(std::span<const uint8_t> frames, uint64_t count) {
  uint64_t low = 0;
  size_t at = 0;
  for (; frames.size() - at >= 8; at += 8) low += low_bytes(&frames[at]) * kLowBits >> 56;
  for (; at < frames.size(); ++at) low += frames[at] < 0x80;
  return low == count * kIntegers;
}

void UnreadFrames::open(std::span<const uint8_t> frames, bool plain) {
  plain_ = plain;
  if (!plain) find_ends(frames);
  end_ = kFrameBlock + frames.size();
  if (bytes_.size() < end_) bytes_.resize(end_ + end_ / 2);
  std::ranges::copy(frames, bytes_.begin() + kFrameBlock);
}

void UnreadFrames::find_ends(std::span<const uint8_t> frames) {
  ends_.assign(1, kFrameBlock);
  read::Cursor in(frames, 0);
  while (in.remaining() > 0) {
    for (size_t i = 0; i < kIntegers; ++i) in.leb();
    ends_.push_back(kFrameBlock + in.at());
  }
}

std::span<const uint8_t> UnreadFrames::next() {
  assert(end_ > kFrameBlock && "there is one");
  const uint8_t* const end = bytes_.data() + end_;
  if (!plain_) ends_.pop_back();
  const uint8_t* const begin = plain_ ? begin_of_last() : bytes_.data() + ends_.back();
  end_ = static_cast<size_t>(begin - bytes_.data());
  return {begin, end};
}

// Behind the fifth byte from the end that is below 0x80: there the frame in front ends, or the zeros do.
const uint8_t* UnreadFrames::begin_of_last() const {
  const uint8_t* at = bytes_.data() + end_;
  uint32_t low = low_bytes_of_block(at - kFrameBlock);
  for (size_t i = 0; i < kIntegers && low != 0; ++i) low &= ~(1u << highest(low));
  if (low != 0) return at - kFrameBlock + highest(low) + 1;
  for (size_t ends = 0; at[-1] >= 0x80 || ++ends <= kIntegers;) --at;
  return at;
}

}  // namespace jfr::archive
