// SPDX-License-Identifier: Apache-2.0
// Reads DWARF's numbers out of mapped memory. A read that faults or passes the end sets failed() and gives 0.
// Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

class DwarfCursor {
 public:
  DwarfCursor(uint64_t at, uint64_t end) : at_(at), end_(end) {}

  uint64_t at() const { return at_; }
  uint64_t end() const { return end_; }
  bool failed() const { return failed_; }
  bool done() const { return failed_ || at_ >= end_; }
  void skip(uint64_t bytes) { bytes > end_ - at_ ? fail() : void(at_ += bytes); }

  uint8_t u8() {
    uint8_t v = 0;
    return take(1) && load8(at_ - 1, v) ? v : fail8();
  }
  uint16_t u16() {
    uint16_t v = 0;
    return take(2) && load16(at_ - 2, v) ? v : fail8();
  }
  uint32_t u32() {
    uint32_t v = 0;
    return take(4) && load32(at_ - 4, v) ? v : fail8();
  }
  uint64_t u64() {
    uint64_t v = 0;
    return take(8) && load64(at_ - 8, v) ? v : fail8();
  }

  uint64_t uleb() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = u8();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    return fail8();
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64;) {
      const uint8_t byte = u8();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (!(byte & 0x80)) return static_cast<int64_t>(shift < 64 && (byte & 0x40) ? value | ~0ull << shift : value);
    }
    return static_cast<int64_t>(fail8());
  }
  // A pointer in one of the encodings that .eh_frame uses (DW_EH_PE_*): absolute or relative to where it stands.
  uint64_t pointer(uint8_t encoding) {
    const uint64_t here = at_;
    uint64_t value = 0;
    switch (encoding & 0x0f) {
      case 0x00:
      case 0x04:
      case 0x0c: value = u64(); break;
      case 0x03: value = u32(); break;
      case 0x0b: value = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(u32()))); break;
      case 0x01: value = uleb(); break;
      default: return fail8();
    }
    return (encoding & 0x70) == 0x10 ? here + value : value;
  }

 private:
  bool take(uint64_t bytes) {
    if (failed_ || end_ - at_ < bytes) return false;
    at_ += bytes;
    return true;
  }
  void fail() {
    failed_ = true;
    at_ = end_;
  }
  uint8_t fail8() {
    fail();
    return 0;
  }

  uint64_t at_, end_;
  bool failed_ = false;
};

}  // namespace rec::agent
