// SPDX-License-Identifier: Apache-2.0
// StackPaths remembers the stacks that were placed in a tree last, by their bytes. A new stack most often has the outer
// frames of one of them, of the last of its own thread, and a stack's bytes end with these:
//
//   before    [leaf][sum][work][run][main]      nodes 4 5 6 8 9, outermost first
//   now       [read][parse][run][main]          the same bytes from [run] on: its nodes begin with 4 5
//
// Comparing takes a step for eight bytes, where a frame takes a dozen to be decoded and found in the tree.
//
// Nor is each node told the weight of each stack: that waits at the innermost frame of the stack that was placed last, and
// goes outwards when the frame is left. A node sees the sums of stacks that came one behind the other, with one kind of
// frame, which is the same to it as each of them (StackTree::vote). The paths end with finish().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jrec/profile/stack_tree.h"

namespace jrec {

// A frame of a stack, in the tree.
struct PlacedFrame {
  uint32_t node = 0;
  uint32_t size = 0;  // of the stack's bytes from where the frame begins to their end
  FrameKind kind = FrameKind::kOther;
  uint64_t waiting = 0;  // weight that the node was not told yet
};

struct StackPath {
  std::span<const uint8_t> bytes;   // of all frames, innermost first; they must stay where they are
  std::vector<PlacedFrame> placed;  // outermost first

  uint32_t end() const { return placed.empty() ? 0 : placed.back().node; }
  // Bytes in front of those of the frames that are placed.
  size_t bytes_left() const { return bytes.size() - (placed.empty() ? 0 : placed.back().size); }
};

// How many bytes both end with.
size_t shared_end(std::span<const uint8_t> a, std::span<const uint8_t> b);

class StackPaths {
 public:
  explicit StackPaths(StackTree& tree) : tree_(tree) {}

  // The path of a stack of these bytes. It begins with the frames that the stack seems to share with one before, which it
  // does if the bytes that are left are the frames that are left; else clear it. Good until the next call.
  StackPath& path_of(std::span<const uint8_t> bytes);
  void clear(StackPath& path) { settle(path), path.placed.clear(); }
  // Tells the tree what waits. Before anybody else adds to the tree, or reads weights and kinds.
  void finish() { settle(paths_[0]); }

 private:
  static constexpr size_t kPaths = 8;

  void leave(StackPath& path, size_t shared, std::span<const uint8_t> bytes);
  void settle(StackPath& path);

  StackTree& tree_;
  std::array<StackPath, kPaths> paths_;  // by when they were used, the last first; of this one alone something waits
};

}  // namespace jrec
