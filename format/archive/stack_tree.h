// SPDX-License-Identifier: Apache-2.0
// StackTree has a node for each frame of each different stack, below the frame that called it. Node 0 is the root.
//
//   0 - main 1 - run 2 - work 3
//                     \ wait 4
//
// A node that came right behind its parent is found there; other children are looked up. Most nodes have one child.
#pragma once

#include <cstdint>
#include <vector>

#include "base/huge_pages.h"
#include "format/archive/call_memory.h"
#include "format/reader/key_table.h"

namespace jfr::archive {

class StackTree {
 public:
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  // For that many nodes more.
  void reserve(size_t nodes) {
    nodes_.reserve(nodes_.size() + nodes);
    base::want_huge_pages(nodes_.data(), nodes_.capacity() * sizeof(Node));
  }
  uint32_t parent(uint32_t node) const { return nodes_[node].parent; }
  uint32_t frame(uint32_t node) const { return nodes_[node].frame; }
  uint32_t depth(uint32_t node) const { return nodes_[node].depth; }
  uint32_t above(uint32_t node, uint64_t steps) const {
    for (; steps > 0; --steps) node = parent(node);
    return node;
  }
  Caller caller(uint32_t node) const { return {frame(parent(node)), frame(node)}; }

  // The node of that frame below another; 0: there is none. Finds what was added with add().
  uint32_t child(uint32_t node, uint32_t frame) const {
    const uint32_t behind = node + 1;
    if (behind < nodes_.size() && nodes_[behind].parent == node && nodes_[behind].frame == frame) return behind;
    const uint32_t* other = nodes_[node].branches != 0 ? others_.find(key_of(node, frame)) : nullptr;
    return other == nullptr ? 0 : *other;
  }

  uint32_t add(uint32_t parent, uint32_t frame) {
    const uint32_t node = add_unlisted(parent, frame);
    if (node == parent + 1) return node;
    nodes_[parent].branches = 1;
    others_.find_or_add(key_of(parent, frame), node);
    return node;
  }
  // For who never asks for children.
  uint32_t add_unlisted(uint32_t parent, uint32_t frame) {
    const uint32_t depth = nodes_[parent].depth + 1;
    nodes_.push_back({parent, frame, depth & kMostDepth, 0});
    return size() - 1;
  }

 private:
  static constexpr uint32_t kMostDepth = ~0u >> 1;
  struct Node {
    uint32_t parent = 0, frame = 0;
    uint32_t depth : 31 = 0;
    uint32_t branches : 1 = 0;  // has children that stand elsewhere
  };
  static uint64_t key_of(uint32_t node, uint32_t frame) { return uint64_t{node} << 32 | frame; }

  std::vector<Node> nodes_{1};
  read::KeyTable<uint32_t> others_;  // by key_of()
};

}  // namespace jfr::archive
