// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_tree.h"

#include <cassert>
#include <functional>

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
  return intern(name, static_cast<uint32_t>(std::hash<std::string_view>()(name)));
}

uint32_t StackTree::intern(std::string_view name, uint32_t hash) {
  uint32_t& number = name_slots_.find_or_take(hash, [&](uint32_t known) { return names_[known - 1] == name; });
  if (number == 0) {
    names_.emplace_back(name);
    name_hashes_.push_back(hash);
    number = static_cast<uint32_t>(names_.size());
  }
  return number - 1;
}

uint32_t StackTree::add(std::span<const Frame> root_first, uint64_t weight) {
  size_t shared = 0;
  while (shared < path_.size() && shared < root_first.size() && nodes_[path_[shared]].name == root_first[shared].name)
    ++shared;
  path_.resize(root_first.size());
  for (size_t i = shared; i < root_first.size(); ++i)
    path_[i] = child_of(i == 0 ? 0 : path_[i - 1], root_first[i].name);
  for (size_t i = 0; i < root_first.size(); ++i) vote(path_[i], root_first[i].kind, weight);
  const uint32_t node = path_.empty() ? 0 : path_.back();
  end_at(node, weight);
  return node;
}

// Parents stand in front of their children, so that where a parent went is known, most often long before: its child's
// place in the table is asked for ahead.
std::vector<uint32_t> StackTree::add(const StackTree& other) {
  constexpr size_t kAhead = 8;
  std::vector<uint32_t> names, places(other.nodes_.size());
  names.reserve(other.names_.size());
  for (size_t i = 0; i < other.names_.size(); ++i) names.push_back(intern(other.names_[i], other.name_hashes_[i]));
  weights_[0].self += other.weights_[0].self;
  total_ += other.total_;
  for (size_t i = 1; i < places.size(); ++i) {
    if (i + kAhead < places.size())
      if (const Node& ahead = other.nodes_[i + kAhead]; ahead.parent < i)
        node_slots_.prefetch(hash_of(places[ahead.parent], names[ahead.name]));
    const Node& from = other.nodes_[i];
    assert(from.parent < i && "parents stand in front of their children");
    places[i] = child_of(places[from.parent], names[from.name]);
    weights_[places[i]].self += other.weights_[i].self;
    vote(places[i], from.kind, other.weights_[i].kind_lead);
  }
  return places;
}

void StackTree::scale(uint64_t factor) {
  if (factor == 1) return;
  for (Weight& weight : weights_) weight.self *= factor, weight.kind_lead *= factor;
  total_ *= factor;
}

// Children stand behind their parents.
std::vector<uint64_t> StackTree::totals() const {
  std::vector<uint64_t> totals(nodes_.size());
  for (size_t i = nodes_.size() - 1; i > 0; --i) {
    totals[i] += weights_[i].self;
    totals[nodes_[i].parent] += totals[i];
  }
  totals[0] = total_;
  return totals;
}

// Most nodes have one child: only the others of a node stand in the table.
uint32_t StackTree::other_child_of(uint32_t parent, uint32_t name) {
  assert(parent < nodes_.size() && "a child is added to a node of this tree");
  if (nodes_[parent].first_child == 0) return append_child(parent, name);
  uint32_t& slot = node_slots_.find_or_take(
      hash_of(parent, name), [&](uint32_t node) { return nodes_[node].parent == parent && nodes_[node].name == name; });
  return slot != 0 ? slot : slot = append_child(parent, name);
}

uint32_t StackTree::append_child(uint32_t parent, uint32_t name) {
  const auto child = static_cast<uint32_t>(nodes_.size());
  weights_.push_back({});
  nodes_.push_back({.name = name, .parent = parent});
  Node& above = nodes_[parent];
  (above.last_child == 0 ? above.first_child : nodes_[above.last_child].next_sibling) = child;
  above.last_child = child;
  return child;
}

}  // namespace jrec
