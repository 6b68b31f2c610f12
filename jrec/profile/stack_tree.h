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
#include <unordered_map>
#include <vector>

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
    uint64_t kind_lead = 0;
    uint64_t self = 0;   // weight of the stacks that end here
    uint64_t total = 0;  // self and that of all below
  };

  StackTree() : nodes_(1), slots_(64) {}

  uint32_t intern(std::string_view name);
  uint32_t add(std::span<const Frame> root_first, uint64_t weight);  // the node where the stack ends
  std::vector<uint32_t> add(const StackTree& other);                 // all of its stacks: where each of its nodes went

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::deque<std::string>& names() const { return names_; }
  uint64_t total() const { return nodes_[0].total; }

 private:
  void vote(Node& node, FrameKind kind, uint64_t weight);
  uint32_t child_of(uint32_t parent, uint32_t name);
  uint32_t* slot_of(uint32_t parent, uint32_t name);
  uint32_t append_child(uint32_t parent, uint32_t name);
  void grow();

  std::vector<Node> nodes_;
  std::deque<std::string> names_;  // a deque: the views of name_ids_ stay good
  std::unordered_map<std::string_view, uint32_t> name_ids_;
  std::vector<uint32_t> slots_;  // nodes that are not first children, by parent and name, open addressing; 0 is free
  size_t in_slots_ = 0;
  uint64_t seed_ = jfr::read::key_hash_seed();
  std::vector<uint32_t> path_;  // nodes of the stack that was added last: the next one most often begins like it
};

}  // namespace jrec
