// SPDX-License-Identifier: Apache-2.0
#include "recorder/spool/line_table.h"

#include <cstring>

namespace rec {
namespace {

constexpr uint8_t kEscape = 0xFF;
constexpr uint32_t kEscapedBytes = 5;
constexpr int32_t kBciSteps = 32, kLineSteps = 8;  // those from 0 on that a byte holds
constexpr int32_t kMaxNumber = 0xFFFF;

uint16_t u16_from(const uint8_t* bytes) {
  uint16_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void put_u16(uint8_t* to, int32_t value) {
  const auto number = static_cast<uint16_t>(value);
  std::memcpy(to, &number, sizeof number);
}

}  // namespace

bool LineTableWriter::add(int32_t bci, int32_t line) {
  if (bci < 0 || bci > kMaxNumber || line < 0 || line > kMaxNumber) return false;
  const int32_t bci_step = bci - bci_, line_step = line - line_;
  const int32_t byte = bci_step << 3 | line_step;
  const bool fits =
      bci_step >= 0 && bci_step < kBciSteps && line_step >= 0 && line_step < kLineSteps && byte != kEscape;
  const uint32_t bytes = fits ? 1 : kEscapedBytes;
  if (limit_ - size_ < bytes) return false;
  if (to_ != nullptr) {
    to_[size_] = fits ? static_cast<uint8_t>(byte) : kEscape;
    if (!fits) put_u16(to_ + size_ + 1, bci), put_u16(to_ + size_ + 3, line);
  }
  size_ += bytes;
  bci_ = bci;
  line_ = line;
  return true;
}

// unsigned: a hostile table may overflow, and must not do it undefined.
int32_t line_of(std::span<const uint8_t> table, uint16_t bci) {
  uint32_t at = 0, line = 0, best = 0, best_line = 0;
  for (size_t i = 0; i < table.size();) {
    if (table[i] != kEscape) {
      at += table[i] >> 3;
      line += table[i] & 7;
      i += 1;
    } else if (table.size() - i >= kEscapedBytes) {
      at = u16_from(&table[i + 1]);
      line = u16_from(&table[i + 3]);
      i += kEscapedBytes;
    } else {
      break;
    }
    if (at == bci) return static_cast<int32_t>(line);
    if (at < bci && at >= best) best = at, best_line = line;
  }
  return static_cast<int32_t>(best_line);
}

}  // namespace rec
