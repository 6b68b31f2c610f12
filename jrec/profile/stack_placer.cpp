// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_placer.h"

#include <vector>

namespace jrec {

// Frames that seem to be shared are, if those in front of them end where they begin.
StackPath& StackPlacer::path_of(const FrameNames::StackBytes& stack) {
  StackPath& path = paths_.path_of(stack.frames);
  if (path.placed.size() > stack.count || !names_.read(stack, stack.count - path.placed.size(), path.bytes_left())) {
    paths_.clear(path);
    names_.read(stack, stack.count, path.bytes_left());
  }
  uint32_t node = path.end();
  const std::vector<FrameNames::ReadFrame>& read = names_.read_frames();
  for (size_t i = read.size(); i-- > 0;) {
    node = tree_.child_of(node, read[i].frame.name);
    path.placed.push_back({node, read[i].size, read[i].frame.kind, 0});
  }
  return path;
}

uint32_t StackPlacer::end(StackPath& path, uint64_t weight) {
  path.placed.back().waiting += weight;
  tree_.end_at(path.end(), weight);
  return path.end();
}

uint32_t StackPlacer::end(StackPath& path, uint64_t weight, const StackTree::Frame& on_top) {
  path.placed.back().waiting += weight;
  const uint32_t node = tree_.child_of(path.end(), on_top.name);
  tree_.vote(node, on_top.kind, weight);
  tree_.end_at(node, weight);
  return node;
}

}  // namespace jrec
