// SPDX-License-Identifier: Apache-2.0
// Cursor reads the wire forms of JFR from a stretch of a chunk and never past its end.
//
//   integers    leb(): LEB128, at most 9 bytes, the 9th with 8 raw bits
//   raw         u8(), be16(), be32(), be64(): fixed width, big-endian
//
// The first read that does not fit fails the cursor for good: it then yields zeros, stands at its end, and ok() is
// false. A caller may therefore decode a whole record and ask once. Positions are bytes from the first byte of the
// chunk. A view: the bytes must outlive it. Allocates nothing.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/leb_word.h"
#include "format/reader/high_bits.h"
#include "format/reader/ones.h"

namespace jfr::read {

class Cursor {
 public:
  Cursor() = default;
  // Reads chunk[at, end). Needs end <= chunk.size(); a start past the end fails at once.
  Cursor(std::span<const uint8_t> chunk, uint64_t at, uint64_t end)
      : base_(chunk.data()), pos_(base_ + (at <= end ? at : end)), end_(base_ + end), failed_(at > end) {
    assert(end <= chunk.size() && "a cursor reads what its caller has, and not a byte more");
  }
  Cursor(std::span<const uint8_t> chunk, uint64_t at) : Cursor(chunk, at, chunk.size()) {}

  bool ok() const { return !failed_; }
  uint64_t at() const { return static_cast<uint64_t>(pos_ - base_); }
  const uint8_t* here() const { return pos_; }  // remaining() bytes
  uint64_t remaining() const { return static_cast<uint64_t>(end_ - pos_); }

  uint8_t u8() { return pos_ != end_ ? *pos_++ : static_cast<uint8_t>(fail()); }

  uint64_t leb() {
    if (pos_ != end_ && *pos_ < 0x80) return *pos_++;
    return long_leb();
  }
  // Fails for one that is longer than it need be.
  uint64_t shortest_leb() {
    const uint8_t* const from = pos_;
    const uint64_t value = leb();
    if (pos_ - from > 1 && pos_[-1] == 0) return fail();
    return value;
  }

  // As many bytes as that, at most 8.
  uint64_t big_endian(uint32_t width) {
    if (remaining() < width) return fail();
    uint64_t value = 0;
    for (uint32_t i = 0; i < width; ++i) value = value << 8 | *pos_++;
    return value;
  }
  uint16_t be16() { return static_cast<uint16_t>(big_endian(2)); }
  uint32_t be32() { return static_cast<uint32_t>(big_endian(4)); }
  uint64_t be64() { return big_endian(8); }

  std::span<const uint8_t> bytes(uint64_t count) {
    if (count > remaining()) return fail(), std::span<const uint8_t>();
    const uint8_t* from = pos_;
    pos_ += count;
    return {from, static_cast<size_t>(count)};
  }

  void skip(uint64_t count) {
    if (count > remaining())
      fail();
    else
      pos_ += count;
  }

  // Passes over `count` LEB128 integers, many bytes at a time where it can.
  void skip_lebs(uint64_t count);
  // The same; fails if one is longer than it need be.
  void skip_shortest_lebs(uint64_t count);

  uint64_t fail() {
    failed_ = true;
    pos_ = end_;
    return 0;
  }

 private:
  uint64_t long_leb() {
    uint64_t value = 0;
    if (end_ - pos_ >= 8)
      if (const size_t bytes = base::take_leb_word(pos_, value)) return pos_ += bytes, value;
    for (int shift = 0; shift < 56; shift += 7) {
      if (pos_ == end_) return fail();
      const uint8_t byte = *pos_++;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    if (pos_ == end_) return fail();
    return value | static_cast<uint64_t>(*pos_++) << 56;
  }

  void skip_lebs_in_words(uint64_t count);

  const uint8_t* base_ = nullptr;
  const uint8_t* pos_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool failed_ = false;
};

// An integer ends with its first byte below 0x80, or with its ninth: to pass over integers is to count their ends. In
// blocks of 64 bytes, where none of their integers is of nine bytes, and in words of eight; the rest one by one. Each
// step begins with an integer.
inline void Cursor::skip_lebs(uint64_t count) {
  while (count >= 8 && remaining() >= 64) {
    __builtin_prefetch(pos_ + 1024);  // each step waits for the bytes of the one before
    const uint64_t goes_on = high_bits_of_64(pos_);
    uint64_t run = goes_on & goes_on >> 1;
    run &= run >> 2;
    run &= run >> 4;
    if (run != 0) {  // eight that go on: what follows them is an end, whatever its high bit says
      leb();
      --count;
      continue;
    }
    const uint64_t ends = ~goes_on;
    const uint64_t below = ones_up_to_each_byte(ends);
    if (const uint64_t all = below >> 56; all <= count) {
      count -= all;
      pos_ += 64 - __builtin_clzll(ends);
    } else {
      pos_ += place_of_one(ends, below, count) + 1;
      return;
    }
  }
  skip_lebs_in_words(count);
}

inline void Cursor::skip_lebs_in_words(uint64_t count) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  while (count >= 8 && remaining() >= 8) {
    uint64_t word;
    std::memcpy(&word, pos_, 8);
    const uint64_t ends = ~word & kHighBits;
    if (ends == 0) {
      long_leb();
      --count;
      continue;
    }
    count -= (ends >> 7) * 0x0101010101010101 >> 56;  // popcnt is not in every x86-64
    pos_ += 8 - __builtin_clzll(ends) / 8;
  }
  while (count-- > 0 && ok()) leb();
}

// One that is too long ends with a byte of 0 behind one that goes on. Where there are such, of which the first may be a
// ninth byte, they are read one by one.
inline void Cursor::skip_shortest_lebs(uint64_t count) {
  const Cursor begin = *this;
  skip_lebs(count);
  if (!ok() || !has_zero_behind_high(begin.pos_, pos_)) return;
  for (*this = begin; count > 0 && ok(); --count) shortest_leb();
}

}  // namespace jfr::read
