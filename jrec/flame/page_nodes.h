// SPDX-License-Identifier: Apache-2.0
// How pages hold a tree of stacks, and a timeline of these:
//
//   nodes     [name, depth, kind, self, ...]     all but the root, depth first, children ordered by name
//   entries   "time":[...],"thread":[...],"node":[...],"weight":[...]     columns; "time" is how many buckets after the entry before,
//             "node" counts from 1 in the order of the nodes
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/flame/flame_timeline.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

struct PlacedNode {
  uint32_t node = 0, depth = 0;
};

// All nodes but the root.
std::vector<PlacedNode> in_page_order(const StackTree& tree);
// By node: its number on the page.
std::vector<uint32_t> page_places(const StackTree& tree, const std::vector<PlacedNode>& order);

// names: by name of the tree, its number on the page.
void append_nodes(const StackTree& tree, const std::vector<PlacedNode>& order, const std::vector<uint32_t>& names,
                  std::string& out);

// The nodes of the entries are places already. threads and states: by those of the timeline, their numbers on the page. Without states, none are written.
struct EntryNumbers {
  const std::vector<uint32_t>& threads;
  const std::vector<uint32_t>* states = nullptr;
};
void append_entries(const FlameTimeline& timeline, const EntryNumbers& numbers, std::string& out);

}  // namespace jrec
