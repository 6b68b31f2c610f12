// SPDX-License-Identifier: Apache-2.0
// How the numbers of one stream become bytes, before zstd.
//
//   kConstant      all the same: one LEB128
//   kLebs          LEB128 each
//   kDeltaLebs     zigzag of the difference to the one before, LEB128 each
//   kPlanes        a byte says how many bytes the largest takes; then all lowest bytes, all second bytes, ...
//   kDeltaPlanes   the same of the zigzag differences
//   kScaled        as scaled_numbers.h has them
//   kDeltaScaled   the same of the zigzag differences
//   k...Model      in a block of their own, which zstd does not see (modelled_numbers.h)
//
// Archives of version 2 have the first five only, those of versions 3 and 4 the first ten.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/leb_word.h"
#include "format/archive/scaled_numbers.h"

namespace jfr::archive {

enum class NumberCoding : uint8_t {
  kConstant,
  kLebs,
  kDeltaLebs,
  kPlanes,
  kDeltaPlanes,
  kScaled,
  kDeltaScaled,
  kLengthModel,
  kDeltaLengthModel,
  kSymbolModel,
  kDeepModel,
  kDeltaDeepModel,
  kRecentModel,
  kNewestModel,
  kCount
};
constexpr bool is_modelled(NumberCoding coding) { return coding >= NumberCoding::kLengthModel; }

// Which of the codings may be used that came with version 3, with version 5, and with version 7.
struct NewCodings {
  bool scaled = false, models = false;
  bool deep = false;   // with it, chunks also leave out what follows from their other columns (follows.h)
  bool words = false;  // words.h
};
inline constexpr NewCodings kAllCodings{true, true, true, true};

constexpr uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(difference) >> 63);
}
constexpr uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

inline constexpr size_t kVarintMostBytes = 10;  // here, unlike on the wire, each byte has seven bits
void append_varint(uint64_t value, std::vector<uint8_t>& out);
// From bytes[at]; moves at. False: it does not end there.
inline bool take_varint(std::span<const uint8_t> bytes, size_t& at, uint64_t& value) {
  if (at < bytes.size() && bytes[at] < 0x80) {
    value = bytes[at++];
    return true;
  }
  value = 0;
  for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const uint8_t byte = bytes[at++];
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// What makes these numbers smallest once zstd has seen them; judged by a sketch (byte_sketch.h), and of many by a
// trial of some.
NumberCoding best_coding(std::span<const uint64_t> numbers, NewCodings news);

void encode_numbers(std::span<const uint64_t> numbers, NumberCoding coding, std::vector<uint8_t>& out);

// Reads them one after the other, from bytes that outlive it. A few dozen at a time are read ahead, in a loop that
// knows their coding.
class NumberReader {
 public:
  // False: these bytes cannot be `count` numbers in that coding.
  bool open(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count);
  // Of numbers that are there.
  void open(std::vector<uint64_t> numbers);

  uint64_t left() const { return left_ + (ahead_end_ - ahead_at_); }
  // False: there is none, or its bytes are damaged, and those behind it too.
  bool next(uint64_t& value) {
    if (ahead_at_ == ahead_end_ && !read_ahead()) return false;
    value = ahead_[ahead_at_++];
    return true;
  }

 private:
  static constexpr uint64_t kAhead = 64, kConstantsAhead = 8;

  bool read_ahead();
  size_t read_lebs(size_t count);  // how many there were
  void read_planes(size_t count);
  size_t read_scaled(size_t count);
  void sum_up(size_t count);

  std::span<const uint8_t> bytes_;
  std::vector<uint64_t> ahead_;
  size_t ahead_at_ = 0, ahead_end_ = 0;
  uint64_t at_ = 0, count_ = 0, left_ = 0, before_ = 0;  // left: that are not read ahead
  NumberCoding coding_ = NumberCoding::kConstant;
  uint8_t width_ = 0;  // of planes
  BitReader rests_;
};

}  // namespace jfr::archive
