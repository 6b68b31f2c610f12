// SPDX-License-Identifier: Apache-2.0
#include "jrec/stack_tree.h"

namespace jrec {

FrameKind frame_kind_of(std::string_view description) {
  if (description == "Interpreted") return FrameKind::kInterpreted;
  if (description == "JIT compiled" || description == "C1 compiled") return FrameKind::kCompiled;
  if (description == "Inlined") return FrameKind::kInlined;
  if (description == "Native") return FrameKind::kNative;
  if (description == "C++") return FrameKind::kCpp;
  if (description == "Kernel") return FrameKind::kKernel;
  return FrameKind::kOther;
}

uint32_t StackTree::intern(std::string_view name) {
  const auto found = name_ids_.find(name);
  if (found != name_ids_.end()) return found->second;
  const auto id = static_cast<uint32_t>(names_.size());
  names_.emplace_back(name);
  name_ids_.emplace(names_.back(), id);
  return id;
}

void StackTree::add(std::span<const Frame> root_first, uint64_t weight) {
  uint32_t at = 0;
  nodes_[0].total += weight;
  for (const Frame& frame : root_first) {
    at = child_of(at, frame.name);
    Node& node = nodes_[at];
    node.total += weight;
    // The majority keeps the lead, whatever the order.
    if (node.kind == frame.kind)
      node.kind_lead += weight;
    else if (node.kind_lead >= weight)
      node.kind_lead -= weight;
    else
      node.kind = frame.kind, node.kind_lead = weight - node.kind_lead;
  }
  nodes_[at].self += weight;
}

uint32_t StackTree::child_of(uint32_t parent, uint32_t name) {
  const auto [place, is_new] =
      children_.try_emplace(uint64_t{parent} << 32 | name, static_cast<uint32_t>(nodes_.size()));
  if (!is_new) return place->second;
  const uint32_t child = place->second;
  Node node;
  node.name = name;
  node.parent = parent;
  nodes_.push_back(node);
  Node& above = nodes_[parent];
  if (above.last_child == 0)
    above.first_child = child;
  else
    nodes_[above.last_child].next_sibling = child;
  above.last_child = child;
  return child;
}

}  // namespace jrec
