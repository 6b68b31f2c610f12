// SPDX-License-Identifier: Apache-2.0
// StackTree merges stacks, root first, into one tree of frames with weights. Frames are names; equal names are one
// string.
//
//   add({main, run, work}, 3) and add({main, idle}, 1):      main 4 --+-- run 3 --- work 3
//                                                                     +-- idle 1
//
// Node 0 is the root, and has no name. Nodes and children keep the order of their first appearance, so equal input
// gives equal output.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/growing_array.h"
#include "format/reader/hash_slots.h"
#include "format/reader/key_hash.h"

namespace jrec {

// What compiled the code of a frame. The page colours by it.
enum class FrameKind : uint8_t { kInterpreted, kCompiled, kInlined, kNative, kCpp, kKernel, kOther };

FrameKind frame_kind_of(std::string_view description);

class StackTree {
 public:
  struct Frame {
    uint32_t name = 0;
    FrameKind kind = FrameKind::kOther;
  };
  struct Node {
    uint32_t name = 0;
    uint32_t parent = 0;
    uint32_t first_child = 0;  // 0: none (the root is nobody's child)
    uint32_t next_sibling = 0;
    uint32_t last_child = 0;
    FrameKind kind = FrameKind::kOther;  // of most of its weight
  };
  static_assert(sizeof(Node) == 24, "a recording may have millions of them");

  StackTree() { nodes_.push_back({}), weights_.push_back({}); }

  uint32_t intern(std::string_view name);
  uint32_t add(std::span<const Frame> root_first, uint64_t weight);  // the node where the stack ends
  std::vector<uint32_t> add(const StackTree& other);                 // all of its stacks: where each of its nodes went

  // The parts of add(): the node of each frame, which is made where there is none; what kind the frame was; and the weight
  // of the stack where it ends. Votes of one kind, one behind the other, are the same as one of their sum.
  uint32_t child_of(uint32_t parent, uint32_t name) {
    const uint32_t first = nodes_[parent].first_child;
    if (first != 0 && nodes_[first].name == name) return first;
    return other_child_of(parent, name);
  }
  void vote(uint32_t node, FrameKind kind, uint64_t weight) {  // the majority keeps the lead
    uint64_t& lead = weights_[node].kind_lead;
    if (nodes_[node].kind == kind)
      lead += weight;
    else if (lead >= weight)
      lead -= weight;
    else
      nodes_[node].kind = kind, lead = weight - lead;
  }
  void end_at(uint32_t node, uint64_t weight) { weights_[node].self += weight, total_ += weight; }

  void scale(uint64_t factor);  // all weights

  const base::GrowingArray<Node>& nodes() const { return nodes_; }
  const std::deque<std::string>& names() const { return names_; }
  uint64_t self(size_t node) const { return weights_[node].self; }  // weight of the stacks that end there
  uint64_t total() const { return total_; }
  std::vector<uint64_t> totals() const;  // by node: its own weight, and that of all below

 private:
  struct Weight {
    uint64_t self = 0, kind_lead = 0;
  };

  uint32_t intern(std::string_view name, uint32_t hash);
  uint32_t hash_of(uint32_t parent, uint32_t name) const {
    return static_cast<uint32_t>(jfr::read::hash_key(uint64_t{parent} << 32 | name, seed_));
  }
  uint32_t other_child_of(uint32_t parent, uint32_t name);
  uint32_t append_child(uint32_t parent, uint32_t name);

  base::GrowingArray<Node> nodes_;
  base::GrowingArray<Weight> weights_;  // of each node
  uint64_t total_ = 0;
  std::deque<std::string> names_;  // a deque: a reference stays good
  std::vector<uint32_t> name_hashes_;
  jfr::read::HashSlots name_slots_;  // numbers from 1
  jfr::read::HashSlots node_slots_;  // the nodes that are not first children
  uint64_t seed_ = jfr::read::key_hash_seed();
  std::vector<uint32_t> path_;  // nodes of the stack that was added last: the next one most often begins like it
};

}  // namespace jrec
