// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/line_table.h"

namespace rec {
namespace {

constexpr uint8_t kEnd = 0;
constexpr uint8_t kEscape = 0xFF;
constexpr uint8_t kFirstHigh = 192;  // as it is stored, in both codings: 192 low codes + 0 to 19, 191 + 1 from 20 on
constexpr unsigned kBitsPerByte = 6;
constexpr unsigned kMaxBytes = 5;

bool is_last(uint8_t byte, unsigned index) { return byte < kFirstHigh || index + 1 == kMaxBytes; }

class Cursor {
 public:
  Cursor(std::span<const uint8_t> bytes, uint32_t excess) : bytes_(bytes), excess_(excess) {}

  bool next(uint8_t& byte) {
    if (at_ == bytes_.size()) return false;
    byte = bytes_[at_++];
    return true;
  }
  bool next_signed(int32_t& value) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < kMaxBytes; ++i) {
      uint8_t byte = 0;
      if (!next(byte)) return false;
      sum += (byte - excess_) << (kBitsPerByte * i);
      if (is_last(byte, i)) break;
    }
    value = static_cast<int32_t>((sum >> 1) ^ (0u - (sum & 1)));
    return true;
  }

 private:
  std::span<const uint8_t> bytes_;
  uint32_t excess_;
  size_t at_ = 0;
};

}  // namespace

bool LineTableScanner::ends_with(uint8_t byte) {
  if (numbers_ > 0) {
    const bool last = is_last(byte, bytes_++);
    if (last) --numbers_, bytes_ = 0;
    return false;
  }
  if (byte == kEscape) numbers_ = 2;
  return byte == kEnd;
}

int32_t line_of(std::span<const uint8_t> table, uint32_t excess, uint16_t bci) {
  Cursor cursor(table, excess);
  // unsigned: a hostile table may overflow, and must not do it undefined.
  uint32_t at = 0, line = 0, best = 0, best_line = 0;
  uint8_t byte = 0;
  while (cursor.next(byte) && byte != kEnd) {
    int32_t bci_step = byte >> 3, line_step = byte & 7;
    if (byte == kEscape && !(cursor.next_signed(bci_step) && cursor.next_signed(line_step))) break;
    at += static_cast<uint32_t>(bci_step);
    line += static_cast<uint32_t>(line_step);
    if (at == bci) return static_cast<int32_t>(line);
    if (at < bci && at >= best) best = at, best_line = line;
  }
  return static_cast<int32_t>(best_line);
}

}  // namespace rec
