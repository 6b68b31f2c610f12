// SPDX-License-Identifier: Apache-2.0
// ByteSink grows a run of bytes in the encodings of JFR: LEB128 integers, big-endian raw numbers, tagged strings.
//
//   unsigned and signed integers   leb(): 7 bits a byte, low group first, at most 9 bytes (the 9th carries 8 bits)
//   sizes that are known later     reserve_size() now, patch_size() then: 4 padded bytes, up to 2^28 - 1
//   text                           text(): encoding byte 3 (UTF-8) with its byte length; 1 for empty; null_text(): 0
//
// For the recorder thread only: it allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/leb128.h"

namespace jfr {

// Largest number that four padded LEB128 bytes can carry, hence the largest event.
inline constexpr uint32_t kMaxPaddedSize = (1u << 28) - 1;

class ByteSink {
 public:
  void u8(uint8_t value) { bytes_.push_back(value); }
  void boolean(bool value) { u8(value ? 1 : 0); }
  void leb(uint64_t value) { base::append_leb(value, bytes_); }
  void leb_padded(uint64_t value, size_t width) {
    base::append_padded_leb(value, width, bytes_);
  }  // exactly `width` bytes
  // Negative numbers travel as two's complement of the field's own width: -1 as an int is five bytes, as a long nine.
  void leb_i32(int32_t value) { leb(static_cast<uint32_t>(value)); }
  void leb_i64(int64_t value) { leb(static_cast<uint64_t>(value)); }
  void be16(uint16_t value);
  void be32(uint32_t value);
  void be64(uint64_t value);
  void f32(float value);
  void text(std::string_view text);  // UTF-8, or the JVM's modified UTF-8, which becomes that
  void text_head(size_t bytes);      // of a UTF-8 text whose bytes come next
  void null_text() { u8(0); }
  void raw(std::span<const uint8_t> bytes);

  size_t reserve_size();                       // returns where the four bytes stand
  void patch_size(size_t at, uint32_t value);  // value <= kMaxPaddedSize

  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }

 private:
  void utf8(std::string_view utf8);

  std::vector<uint8_t> bytes_;
};

}  // namespace jfr
