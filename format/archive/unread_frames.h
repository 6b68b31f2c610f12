// SPDX-License-Identifier: Apache-2.0
// UnreadFrames hands out the frames of a stack, outermost first, while they stand on the wire innermost first: it looks
// for where each begins from its end.
//
//   wire   a1 02 07 00 02 | 83 05 09 1f 02        next(): 83 05 09 1f 02, then a1 02 07 00 02
//
// An integer ends with its first byte below 0x80; but where it has nine bytes, with the ninth, whatever that is. Stacks
// where that makes a difference are not plain: they are read from their begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

// Whether `count` frames, which these are, are plain.
bool are_plain_frames(std::span<const uint8_t> frames, uint64_t count);

class UnreadFrames {
 public:
  // Of whole frames, which are copied.
  void open(std::span<const uint8_t> frames, bool plain);
  // There is one. kFrameBlock bytes in front of its end can be read; good until open().
  std::span<const uint8_t> next();

 private:
  void find_ends(std::span<const uint8_t> frames);
  const uint8_t* begin_of_last() const;

  std::vector<uint8_t> bytes_;  // behind kFrameBlock zeros
  size_t end_ = 0;
  bool plain_ = true;
  std::vector<size_t> ends_;  // where they are not plain
};

}  // namespace jfr::archive
