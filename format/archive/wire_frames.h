// SPDX-License-Identifier: Apache-2.0
// WireFrames are the different frames of a chunk's stacks, numbered from 1: four integers each, kept as they stand on
// the wire, as most of them are copied and never looked into. 0 is no frame, and has no bytes.
//
//   1   main 7 0 2      a1 02 07 00 02
//   2   work 9 31 2     83 05 09 1f 02
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "format/reader/key_table.h"

namespace jfr::archive {

using StackFrame = std::array<uint64_t, 4>;  // the integers of a jdk.types.StackFrame: method, line, bytecode, type

// Bytes that can be read in front of where a frame ends, whatever they are: most frames are shorter, so two words hold
// one, and one copy of this size moves it.
inline constexpr size_t kFrameBlock = 16;

class WireFrames {
 public:
  struct Found {
    uint32_t frame;
    bool is_new;
  };

  WireFrames();

  // `bytes`: of one frame; kFrameBlock bytes in front of its end can be read.
  Found find_or_add(std::span<const uint8_t> bytes);
  Found find_or_add(const StackFrame& frame);
  // One that nobody will look for.
  uint32_t add(const StackFrame& frame);

  uint32_t size() const { return static_cast<uint32_t>(frames_.size()); }
  // kFrameBlock bytes in front of its end can be read. Good until the next one is added.
  std::span<const uint8_t> bytes(uint32_t frame) const {
    const Block& block = frames_[frame];
    if (block[0] == kLong) return long_bytes_[place_of(block)];
    return std::span<const uint8_t>(block).last(block[0]);
  }
  StackFrame fields(uint32_t frame) const;

 private:
  // A frame of less than kFrameBlock bytes; zeros stand in front of it. Its integers end with a byte below 0x80 each,
  // so no other frame has these words.
  struct ShortKey {
    uint64_t front, back;
    friend bool operator==(const ShortKey&, const ShortKey&) = default;
  };
  struct ShortHash {
    size_t operator()(const ShortKey& key) const;
    uint64_t seed = read::key_hash_seed();
  };
  struct LongHash {
    size_t operator()(const StackFrame& frame) const;
    read::KeyHash by_key;
  };

  // How many bytes it has, and at the end these; for longer ones, kLong and a place in long_bytes_.
  using Block = std::array<uint8_t, kFrameBlock>;
  static constexpr uint8_t kLong = 0xff;
  static size_t place_of(const Block& block);
  uint32_t append(std::span<const uint8_t> bytes);

  std::vector<Block> frames_;
  std::vector<std::vector<uint8_t>> long_bytes_;
  read::KeyTable<uint32_t, ShortKey, ShortHash> short_;
  read::KeyTable<uint32_t, StackFrame, LongHash> long_;
};

// The integers of a frame.
StackFrame fields_of(std::span<const uint8_t> frame);

}  // namespace jfr::archive
