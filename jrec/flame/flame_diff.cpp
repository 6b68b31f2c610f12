// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/flame_diff.h"

#include <algorithm>

namespace jrec {
namespace {

// Calls add(frames, weight) for each stack of a tree, frames named in `into`.
template <typename Add>
void each_stack(const StackTree& from, StackTree& into, Add add) {
  std::vector<uint32_t> names;
  for (const std::string& name : from.names()) names.push_back(into.intern(name));
  std::vector<StackTree::Frame> frames;
  for (size_t i = 1; i < from.nodes().size(); ++i) {
    if (from.self(i) == 0) continue;
    frames.clear();
    for (auto at = static_cast<uint32_t>(i); at != 0; at = from.nodes()[at].parent)
      frames.push_back({names[from.nodes()[at].name], from.nodes()[at].kind});
    std::reverse(frames.begin(), frames.end());
    add(frames, from.self(i));
  }
}

}  // namespace

MergedTrees merge_trees(const StackTree& before, const StackTree& after) {
  MergedTrees merged;
  each_stack(after, merged.tree,
             [&](const std::vector<StackTree::Frame>& frames, uint64_t weight) { merged.tree.add(frames, weight); });
  each_stack(before, merged.tree, [&](const std::vector<StackTree::Frame>& frames, uint64_t weight) {
    const uint32_t node = merged.tree.add(frames, 0);
    if (merged.before.size() <= node) merged.before.resize(merged.tree.nodes().size());
    merged.before[node] += weight;
  });
  merged.before.resize(merged.tree.nodes().size());
  return merged;
}

}  // namespace jrec
