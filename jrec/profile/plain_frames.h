// SPDX-License-Identifier: Apache-2.0
// PlainFrames remembers frames by their bytes. A frame of a stack is a few integers, LEB128 (method, line, bytecode index,
// type), and most frames of a chunk stand in many of its stacks: who has seen the bytes need not decode them.
//
//   bytes_at(in)         where a frame ends, found in a few steps
//   find(), enter()      what was made of a frame of these bytes
//
// A table of one place each: what comes to a place that is taken replaces what was there.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "format/reader/cursor.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

class PlainFrames {
 public:
  static constexpr unsigned kMostIntegers = 8;
  // integers: of a frame; 1 at least.
  explicit PlainFrames(unsigned integers) : integers_(integers), places_(size_t{1} << kBits) {}

  // The bytes of a frame of at most 16 bytes, without those behind it. Size 0: it is longer, or has less than 16 bytes
  // left, or an integer of nine bytes: decode it.
  struct Bytes {
    uint64_t low = 0, high = 0;
    size_t size = 0;
  };
  Bytes bytes_at(const jfr::read::Cursor& in) const;

  // Null: not known. Until enter().
  const StackTree::Frame* find(const Bytes& bytes) const {
    const Place& place = places_[index_of(bytes)];
    return place.low == bytes.low && place.high == bytes.high ? &place.frame : nullptr;
  }
  void enter(const Bytes& bytes, const StackTree::Frame& frame) {
    places_[index_of(bytes)] = {bytes.low, bytes.high, frame};
  }

 private:
  static constexpr unsigned kBits = 15;
  struct Place {
    uint64_t low = 0, high = ~uint64_t{0};  // no frame's: its last byte ends an integer
    StackTree::Frame frame;
  };
  static size_t index_of(const Bytes& bytes) {
    return (bytes.low * 0x9e3779b97f4a7c15u ^ bytes.high * 0xc2b2ae3d27d4eb4fu) >> (64 - kBits);
  }

  const unsigned integers_;
  std::vector<Place> places_;
};

// An integer ends with its first byte below 0x80; one of nine bytes, whose last may be any, is left to others.
inline PlainFrames::Bytes PlainFrames::bytes_at(const jfr::read::Cursor& in) const {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  if (in.remaining() < 16) return {};
  Bytes bytes;
  std::memcpy(&bytes.low, in.here(), 8);
  std::memcpy(&bytes.high, in.here() + 8, 8);
  unsigned left = integers_;
  const auto size_in = [&left](uint64_t word) -> size_t {  // 0: the frame goes on behind the word
    uint64_t ends = ~word & kHighBits;
    for (; ends != 0 && left > 1; --left) ends &= ends - 1;
    return ends == 0 ? 0 : static_cast<size_t>(__builtin_ctzll(ends)) / 8 + 1;
  };
  const uint64_t low_ends = ~bytes.low & kHighBits, high_ends = ~bytes.high & kHighBits;
  if (low_ends == 0) return {};
  if (const size_t size = size_in(bytes.low)) {
    bytes.size = size;
    bytes.low &= ~uint64_t{0} >> (64 - 8 * size);
    bytes.high = 0;
    return bytes;
  }
  if (high_ends == 0 || __builtin_clzll(low_ends) / 8 + __builtin_ctzll(high_ends) / 8 >= 8) return {};
  if (const size_t size = size_in(bytes.high)) {
    bytes.size = 8 + size;
    bytes.high &= ~uint64_t{0} >> (64 - 8 * size);
    return bytes;
  }
  return {};
}

}  // namespace jrec
