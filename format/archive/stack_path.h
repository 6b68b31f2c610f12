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
  size_t size() const { return nodes_.size(); }  // with node 0
  size_t depth() const { return nodes_.size() - 1; }
  uint32_t node(size_t depth) const { return nodes_[depth]; }
  bool has(size_t depth, uint32_t node) const { return depth < nodes_.size() && nodes_[depth] == node; }
  size_t bytes(size_t depth) const { return bytes_[depth]; }
  size_t bytes() const { return bytes_.back(); }

  void push(uint32_t node, size_t bytes) {
    nodes_.push_back(node);
    bytes_.push_back(bytes_.back() + bytes);
  }
  // The frames below go.
  void cut(size_t depth) {
    assert(depth < nodes_.size() && "the root stays");
    nodes_.resize(depth + 1);
    bytes_.resize(depth + 1);
  }
  // The deepest frame that ends within the last `bytes` of the stack.
  size_t depth_within(size_t bytes) const {
    size_t low = 0, high = depth();
    while (low < high) {
      const size_t middle = (low + high + 1) / 2;
      bytes_[middle] <= bytes ? low = middle : high = middle - 1;
    }
    return low;
  }

 private:
  std::vector<uint32_t> nodes_{0};
  std::vector<size_t> bytes_{0};
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
