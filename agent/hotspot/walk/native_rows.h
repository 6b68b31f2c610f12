// SPDX-License-Identifier: Apache-2.0
// NativeRows remembers rows of unwind tables: how to get from a pc to the frame's caller. Running a table's program takes a
// microsecond, and a stack has twenty such frames; a row that is remembered takes a load or two and those of the stack.
//
// Nearly all rows are of one shape, and that fits into a word:
//
//   63                      42 41                                    18 17               1 0
//  +--------------------------+----------------------------------------+------------------+-+
//  | bytes into the function  | r15 | r14 | r13 | r12 | rbp | rbx       | frame's size / 8 |b|     b: the frame's end (CFA)
//  +--------------------------+----------------------------------------+------------------+-+        is by rbp, else by rsp
//                              each 4 bits: 0: kept; n: saved 8 * (n + 1) below the frame's end
//
// The return address is always 8 below the frame's end. A size of 0 says that there is no caller: the thread began here.
// What is of another shape is not remembered.
//
// A place of the table is two words, (address and library) ^ row and row: who reads halves of two rows finds neither. The
// address is the file's: a library that comes back elsewhere has rows at other addresses of memory, and some of them are
// those of other code of it before. Any number of threads; no order is needed. Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/hotspot/processor/registers.h"

namespace rec::agent {

class NativeRow {
 public:
  static constexpr uint64_t kMostInto = (uint64_t{1} << 22) - 1;  // bytes
  static constexpr uint64_t kMostSize = ((uint64_t{1} << 17) - 1) * 8;
  static constexpr int64_t kDeepest = -8 * 16;  // of a saved register

  constexpr NativeRow() = default;  // none
  constexpr explicit NativeRow(uint64_t bits) : bits_(bits) {}
  // size: 0: there is no caller. into: how far pc is behind the function's begin.
  constexpr NativeRow(bool by_fp, uint64_t size, uint64_t into) : bits_(uint64_t{by_fp} | size / 8 << 1 | into << 42) {}
  // which: of Registers::kKept; offset: from the frame's end.
  constexpr void save(size_t which, int64_t offset) {
    bits_ |= static_cast<uint64_t>(-offset / 8 - 1) << (18 + 4 * which);
  }

  explicit operator bool() const { return bits_ != 0; }
  uint64_t bits() const { return bits_; }
  bool by_fp() const { return (bits_ & 1) != 0; }
  uint64_t size() const { return (bits_ >> 1 & 0x1ffff) * 8; }
  uint64_t into() const { return bits_ >> 42; }
  int64_t saved_at(size_t which) const {  // 0: kept
    const auto below = static_cast<int64_t>(bits_ >> (18 + 4 * which) & 15);
    return below == 0 ? 0 : -8 * (below + 1);
  }
  // To the caller. False: what has to be read cannot be.
  bool apply(Registers& registers) const;

 private:
  uint64_t bits_ = 0;
};

class NativeRows {
 public:
  NativeRow find(uint64_t address, uint16_t library) const {
    const uint64_t key = key_of(address, library);
    const Place& place = places_[index_of(key)];
    const uint64_t bits = place.row.load(std::memory_order_relaxed);
    return place.key.load(std::memory_order_relaxed) == (key ^ bits) ? NativeRow(bits) : NativeRow();
  }
  void enter(uint64_t address, uint16_t library, NativeRow row) {
    const uint64_t key = key_of(address, library);
    Place& place = places_[index_of(key)];
    place.row.store(row.bits(), std::memory_order_relaxed);
    place.key.store(key ^ row.bits(), std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned kBits = 15;
  struct Place {
    std::atomic<uint64_t> key{0}, row{0};
  };
  static uint64_t key_of(uint64_t address, uint16_t library) { return address | uint64_t{library} << 48; }
  static size_t index_of(uint64_t key) { return (key ^ key >> 32) * 0x9E3779B97F4A7C15u >> (64 - kBits); }

  std::array<Place, size_t{1} << kBits> places_{};
};

}  // namespace rec::agent
