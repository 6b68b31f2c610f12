// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_tree.h"

#include <cassert>

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

uint32_t StackTree::add(std::span<const Frame> root_first, uint64_t weight) {
  size_t shared = 0;
  while (shared < path_.size() && shared < root_first.size() && nodes_[path_[shared]].name == root_first[shared].name)
    ++shared;
  path_.resize(shared);
  uint32_t at = shared == 0 ? 0 : path_.back();
  for (const Frame& frame : root_first.subspan(shared)) path_.push_back(at = child_of(at, frame.name));
  nodes_[0].total += weight;
  for (size_t i = 0; i < path_.size(); ++i) {
    Node& node = nodes_[path_[i]];
    node.total += weight;
    vote(node, root_first[i].kind, weight);
  }
  nodes_[at].self += weight;
  return at;
}

std::vector<uint32_t> StackTree::add(const StackTree& other) {
  std::vector<uint32_t> names, places(other.nodes_.size());
  names.reserve(other.names_.size());
  for (const std::string& name : other.names_) names.push_back(intern(name));
  nodes_[0].self += other.nodes_[0].self;
  nodes_[0].total += other.nodes_[0].total;
  for (size_t i = 1; i < places.size(); ++i) {  // parents stand in front of their children
    const Node& from = other.nodes_[i];
    assert(from.parent < i && "parents stand in front of their children");
    places[i] = child_of(places[from.parent], names[from.name]);
    Node& into = nodes_[places[i]];
    into.self += from.self;
    into.total += from.total;
    vote(into, from.kind, from.kind_lead);
  }
  return places;
}

// The majority keeps the lead, whatever the order.
void StackTree::vote(Node& node, FrameKind kind, uint64_t weight) {
  if (node.kind == kind)
    node.kind_lead += weight;
  else if (node.kind_lead >= weight)
    node.kind_lead -= weight;
  else
    node.kind = kind, node.kind_lead = weight - node.kind_lead;
}

// Most nodes have one child: only the others of a node stand in the table.
uint32_t StackTree::child_of(uint32_t parent, uint32_t name) {
  assert(parent < nodes_.size() && "a child is added to a node of this tree");
  const uint32_t first = nodes_[parent].first_child;
  if (first == 0) return append_child(parent, name);
  if (nodes_[first].name == name) return first;
  if ((in_slots_ + 1) * 3 > slots_.size() * 2) grow();
  uint32_t& slot = *slot_of(parent, name);
  if (slot != 0) return slot;
  ++in_slots_;
  return slot = append_child(parent, name);
}

uint32_t StackTree::append_child(uint32_t parent, uint32_t name) {
  const auto child = static_cast<uint32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.name = name;
  node.parent = parent;
  Node& above = nodes_[parent];
  (above.last_child == 0 ? above.first_child : nodes_[above.last_child].next_sibling) = child;
  above.last_child = child;
  return child;
}

uint32_t* StackTree::slot_of(uint32_t parent, uint32_t name) {
  const size_t mask = slots_.size() - 1;
  size_t at = jfr::read::hash_key(uint64_t{parent} << 32 | name, seed_) & mask;
  while (slots_[at] != 0 && (nodes_[slots_[at]].parent != parent || nodes_[slots_[at]].name != name))
    at = (at + 1) & mask;
  return &slots_[at];
}

void StackTree::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (uint32_t i = 1; i < nodes_.size(); ++i)
    if (nodes_[nodes_[i].parent].first_child != i) *slot_of(nodes_[i].parent, nodes_[i].name) = i;
}

}  // namespace jrec
