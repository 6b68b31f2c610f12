// SPDX-License-Identifier: Apache-2.0
// Numbers of any number of bits, one behind the other: the first from the lowest bit of the first byte on.
//
//   5 in 3 bits, 1 in 2, 9 in 5     ->  bytes 01001 01 101 = ad, ... 0 = 00
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/archive/fixed_number.h"

namespace jfr::archive {

class BitWriter {
 public:
  explicit BitWriter(std::vector<uint8_t>& out) : out_(&out) {}

  // value < 1 << count, count < 64.
  void put(uint64_t value, unsigned count) {
    word_ |= value << used_;
    if (used_ + count >= 64) {
      append64(word_, *out_);
      word_ = used_ == 0 ? 0 : value >> (64 - used_);
      used_ -= 64;
    }
    used_ += count;
  }
  // At last: what has not filled a word yet.
  void finish() {
    for (unsigned bit = 0; bit < used_; bit += 8) out_->push_back(static_cast<uint8_t>(word_ >> bit));
  }

 private:
  std::vector<uint8_t>* out_;
  uint64_t word_ = 0;
  unsigned used_ = 0;  // of the word
};

class BitReader {
 public:
  BitReader() = default;
  explicit BitReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  // count < 64. False: so many are not there.
  bool take(unsigned count, uint64_t& value) {
    value = 0;
    if (count == 0) return true;
    if (at_ + count > bytes_.size() * 8) return false;
    value = word(at_);
    if (count > kSurely) value = (value & ((uint64_t{1} << kSurely) - 1)) | word(at_ + kSurely) << kSurely;
    value &= (uint64_t{1} << count) - 1;
    at_ += count;
    return true;
  }

 private:
  static constexpr unsigned kSurely = 56;  // of the bits that begin in the first of eight bytes

  uint64_t word(uint64_t bit) const {
    const size_t at = bit / 8;
    if (bytes_.size() - at >= 8) return get64(&bytes_[at]) >> bit % 8;
    uint64_t word = 0;
    for (size_t i = at; i < bytes_.size(); ++i) word |= uint64_t{bytes_[i]} << (8 * (i - at));
    return word >> bit % 8;
  }

  std::span<const uint8_t> bytes_;
  uint64_t at_ = 0;
};

}  // namespace jfr::archive
