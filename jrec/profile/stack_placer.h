// SPDX-License-Identifier: Apache-2.0
// StackPlacer puts the stacks of one chunk into its tree.
//
//   constant --FrameNames--> bytes --StackPaths--> frames that an earlier stack has, by their nodes
//                                  --FrameNames--> the others, decoded --StackTree--> their nodes
#pragma once

#include <cstdint>
#include <span>

#include "jrec/profile/frame_names.h"
#include "jrec/profile/stack_paths.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

class StackPlacer {
 public:
  StackPlacer(StackTree& tree, FrameNames& names) : tree_(tree), names_(names), paths_(tree) {}

  // The nodes of the frames of a stack that has any, which ends there, or with one frame more. At once: the node where it ends.
  StackPath& path_of(const FrameNames::StackBytes& stack);
  uint32_t end(StackPath& path, uint64_t weight);
  uint32_t end(StackPath& path, uint64_t weight, const StackTree::Frame& on_top);
  // The same for a stack that is told by its frames.
  uint32_t place(std::span<const StackTree::Frame> root_first, uint64_t weight) {
    paths_.finish();
    return tree_.add(root_first, weight);
  }
  // After the last of them.
  void finish() { paths_.finish(); }

 private:
  StackTree& tree_;
  FrameNames& names_;
  StackPaths paths_;
};

}  // namespace jrec
