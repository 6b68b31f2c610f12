// SPDX-License-Identifier: Apache-2.0
// How the numbers of one stream become bytes, before zstd.
//
//   kConstant      all the same: one LEB128
//   kLebs          LEB128 each
//   kDeltaLebs     zigzag of the difference to the one before, LEB128 each
//   kPlanes        a byte says how many bytes the largest takes; then all lowest bytes, all second bytes, ...
//   kDeltaPlanes   the same of the zigzag differences
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

enum class NumberCoding : uint8_t { kConstant, kLebs, kDeltaLebs, kPlanes, kDeltaPlanes, kCount };

constexpr uint64_t zigzag(uint64_t difference) {
  return difference << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(difference) >> 63);
}
constexpr uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

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

// What makes these numbers smallest once zstd has seen them; judged by some of them when they are many.
NumberCoding best_coding(std::span<const uint64_t> numbers);

void encode_numbers(std::span<const uint64_t> numbers, NumberCoding coding, std::vector<uint8_t>& out);

// Reads them one after the other, from bytes that outlive it.
class NumberReader {
 public:
  // False: these bytes cannot be `count` numbers in that coding.
  bool open(std::span<const uint8_t> bytes, NumberCoding coding, uint64_t count);

  uint64_t left() const { return left_; }
  // False: there is none, or its bytes are damaged, and those behind it too.
  bool next(uint64_t& value) {
    if (left_ == 0) return false;
    --left_;
    value = constant_;
    if (width_ > 0)
      value = take_planes();
    else if (coded_ && !take_varint(bytes_, at_, value))
      return fail();
    if (delta_) value = before_ += unzigzag(value);
    return true;
  }

 private:
  bool fail() {
    left_ = 0;
    return false;
  }
  uint64_t take_planes() {
    uint64_t value = 0;
    const uint8_t* from = bytes_.data() + at_++;
    for (int shift = 0; shift < 8 * width_; shift += 8, from += count_) value |= uint64_t{*from} << shift;
    return value;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  uint64_t count_ = 0, left_ = 0, before_ = 0, constant_ = 0;
  int width_ = 0;  // of planes
  bool coded_ = false, delta_ = false;
};

}  // namespace jfr::archive
