// SPDX-License-Identifier: Apache-2.0
// StackPath is the stack before: its nodes in the tree of stacks, root first, and what its frames take on the wire.
//
//   node     0    4    5    9
//   bytes    0    7    15   22      of the frames so far: the last 15 bytes of that stack are those of nodes 4 and 5
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jfr::archive {

class StackPath {
 public:
  size_t size() const { return steps_.size(); }  // with node 0
  size_t depth() const { return steps_.size() - 1; }
  uint32_t node(size_t depth) const { return steps_[depth].node; }
  bool has(size_t depth, uint32_t node) const { return depth < steps_.size() && steps_[depth].node == node; }
  size_t bytes(size_t depth) const { return steps_[depth].bytes; }
  size_t bytes() const { return steps_.back().bytes; }

  void push(uint32_t node, size_t bytes) { steps_.push_back({this->bytes() + bytes, node}); }
  // The frames below go.
  void cut(size_t depth) {
    assert(depth < steps_.size() && "the root stays");
    steps_.resize(depth + 1);
  }
  // The deepest frame that ends within the last `bytes` of the stack.
  size_t depth_within(size_t bytes) const {
    size_t low = 0, high = depth();
    while (low < high) {
      const size_t middle = (low + high + 1) / 2;
      steps_[middle].bytes <= bytes ? low = middle : high = middle - 1;
    }
    return low;
  }

 private:
  struct Step {
    size_t bytes = 0;
    uint32_t node = 0;
  };
  std::vector<Step> steps_{1};
};

// Bytes that grow at their front, as a stack does on the wire: its outermost frame stands last, and stays.
class FrontBytes {
 public:
  // In front of the last `behind` bytes. kFrameBlock bytes in front of where they end can be read.
  void put(size_t behind, std::span<const uint8_t> bytes);
  std::span<const uint8_t> last(size_t size) const { return std::span(bytes_).last(size); }

 private:
  void grow(size_t least);
  std::vector<uint8_t> bytes_;
};

}  // namespace jfr::archive
