// SPDX-License-Identifier: Apache-2.0
// ChunkBytes reads a chunk's file through windows of a fixed size. Ordinary threads only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/reader/event_walk.h"

namespace rec {

class ChunkBytes {
 public:
  // fd: stays the caller's. end: of the file; nothing is read beyond.
  ChunkBytes(int fd, uint64_t end) : heads_(fd), bodies_(fd), end_(end) {}

  // The event at that place. False: there is none.
  bool read_head(uint64_t at, jfr::read::Event& event);
  // The first two numbers of its fields.
  bool read_numbers(const jfr::read::Event& event, uint64_t& first, uint64_t& second);
  // Calls take(span) with the bytes from there on, piece by piece. False: they cannot be read.
  template <typename Take>
  bool each_piece(uint64_t from, uint64_t to, Take take) {
    while (from < to) {
      const uint64_t size = std::min<uint64_t>(kWindowBytes, to - from);
      const uint8_t* piece = bodies_.look(from, size, to);
      if (piece == nullptr) return false;
      take(std::span(piece, size));
      from += size;
    }
    return true;
  }

 private:
  static constexpr size_t kWindowBytes = 64u << 10;

  class Window {
   public:
    explicit Window(int fd) : fd_(fd), bytes_(kWindowBytes) {}
    // At least `needed` bytes from there on; reads as far as `end`. Null: they cannot be read.
    const uint8_t* look(uint64_t at, uint64_t needed, uint64_t end);

   private:
    int fd_;
    uint64_t from_ = 0;
    uint64_t filled_ = 0;
    std::vector<uint8_t> bytes_;
  };

  Window heads_;
  Window bodies_;
  uint64_t end_;
};

}  // namespace rec
