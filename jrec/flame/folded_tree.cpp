// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/folded_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace jrec {
namespace {

using Node = StackTree::Node;

constexpr size_t kFewerFrames = 4, kFewestFrames = 1000;
constexpr size_t kManyEntries = 3;  // times as many as wanted are better than fewer frames
constexpr uint64_t kTopsOf = 1000;  // of all the weight; lighter ones are in [folded] itself

// Which frames are folded: those of less weight, and of that weight those that are so deep or deeper.
struct FoldLimit {
  uint64_t weight = 0;
  uint32_t depth = 0;
};

std::vector<uint32_t> depths_of(const base::GrowingArray<Node>& nodes) {
  std::vector<uint32_t> depths(nodes.size());
  for (size_t i = 1; i < nodes.size(); ++i) depths[i] = depths[nodes[i].parent] + 1;
  return depths;
}

// Of frames that weigh the same as many levels are kept as there is room for: most of them may be of one sample each.
uint32_t depth_limit(const std::vector<uint64_t>& totals, const std::vector<uint32_t>& depths, uint64_t weight,
                     size_t most) {
  std::vector<size_t> levels(*std::ranges::max_element(depths) + 1);
  size_t kept = 0;
  for (size_t i = 1; i < totals.size(); ++i)
    if (totals[i] == weight)
      ++levels[depths[i]];
    else if (totals[i] > weight)
      ++kept;
  uint32_t depth = 0;
  while (depth < levels.size() && kept + levels[depth] <= most) kept += levels[depth++];
  return depth;
}

FoldLimit limit_for(const std::vector<uint64_t>& totals, const std::vector<uint32_t>& depths, size_t most) {
  std::vector<uint64_t> weights = totals;
  std::ranges::nth_element(weights, weights.begin() + static_cast<ptrdiff_t>(most), std::ranges::greater());
  return {weights[most], depth_limit(totals, depths, weights[most], most)};
}

class Folding {
 public:
  Folding(const StackTree& whole, size_t most)
      : whole_(whole), nodes_(whole.nodes()), totals_(whole.totals()), most_(most) {
    if (nodes_.size() - 1 > most) {
      depths_ = depths_of(nodes_);
      limit_ = limit_for(totals_, depths_, most);
    }
    for (const std::string& name : whole.names()) names_.push_back(out_.tree.intern(name));
    folded_ = out_.tree.intern(kFoldedFrame);
    out_.node.resize(nodes_.size());
    find_heavy_tops();
  }

  // Parents stand in front of their children, and a frame that is folded has all that is above it folded.
  FoldedTree fold() {
    for (uint32_t i = 1; i < nodes_.size(); ++i)
      if (totals_[i] != 0) out_.node[i] = is_folded(i) ? fold(i) : keep(i);
    out_.tree.end_at(0, whole_.self(0));
    return std::move(out_);
  }

 private:
  bool is_folded(uint32_t i) const {
    return totals_[i] < limit_.weight ||
           (totals_[i] == limit_.weight && !depths_.empty() && depths_[i] >= limit_.depth);
  }

  void find_heavy_tops() {
    std::vector<uint64_t> weights(whole_.names().size());
    for (uint32_t i = 1; i < nodes_.size(); ++i)
      if (is_folded(i)) weights[nodes_[i].name] += whole_.self(i);
    for (const uint64_t weight : weights) is_heavy_top_.push_back(weight > whole_.total() / kTopsOf);
  }
  bool stands_on_folded(uint32_t i) const {
    return is_heavy_top_[nodes_[i].name] && out_.tree.nodes().size() < 2 * most_;
  }

  uint32_t keep(uint32_t i) {
    const uint32_t node = out_.tree.child_of(out_.node[nodes_[i].parent], names_[nodes_[i].name]);
    out_.tree.vote(node, nodes_[i].kind, totals_[i]);
    out_.tree.end_at(node, whole_.self(i));
    return node;
  }

  uint32_t fold(uint32_t i) {
    ++out_.folded;
    out_.weight += whole_.self(i);
    uint32_t node = folded_frame_under(nodes_[i].parent);
    if (whole_.self(i) != 0 && stands_on_folded(i)) {
      node = out_.tree.child_of(node, names_[nodes_[i].name]);
      out_.tree.vote(node, nodes_[i].kind, whole_.self(i));
    }
    out_.tree.end_at(node, whole_.self(i));
    return node;
  }

  uint32_t folded_frame_under(uint32_t parent) {
    const uint32_t node = out_.node[parent];
    if (node != 0 && out_.tree.nodes()[node].name == folded_) return node;
    return node == 0 || !is_folded(parent) ? out_.tree.child_of(node, folded_) : out_.tree.nodes()[node].parent;
  }

  const StackTree& whole_;
  const base::GrowingArray<Node>& nodes_;
  const std::vector<uint64_t> totals_;
  std::vector<uint32_t> depths_;  // empty: nothing is folded
  FoldLimit limit_;
  const size_t most_;
  FoldedTree out_;
  std::vector<uint32_t> names_;
  std::vector<bool> is_heavy_top_;  // by name
  uint32_t folded_ = 0;             // the name
};

}  // namespace

FoldedTree fold_tree(const StackTree& whole, size_t most) { return Folding(whole, most).fold(); }

namespace {

// With how many frames a timeline of that tree has no more entries than that: by a fold of it, and of that, and so on.
size_t frames_that_fit(const StackTree& whole, FlameTimeline shown, size_t most_entries) {
  FoldedTree last = fold_tree(whole, whole.nodes().size() / kFewerFrames);
  for (;;) {
    shown = shown.renamed(last.node, most_entries);
    const size_t frames = last.tree.nodes().size();
    if (shown.entries().size() <= kManyEntries * most_entries || frames <= kFewestFrames) return frames;
    last = fold_tree(last.tree, frames / kFewerFrames);
  }
}

struct Placing {
  PlacedTree placed;
  std::vector<uint32_t> places;  // of the whole tree's nodes, on the page
};

Placing placing_of(const StackTree& whole, size_t most_frames) {
  Placing made{{fold_tree(whole, most_frames), {}}, {}};
  made.placed.order = in_page_order(made.placed.folded.tree);
  const std::vector<uint32_t> places = page_places(made.placed.folded.tree, made.placed.order);
  for (const uint32_t node : made.placed.folded.node) made.places.push_back(places[node]);
  return made;
}

}  // namespace

PlacedTree place_on_page(const StackTree& whole, FlameTimeline& timeline, size_t most_frames, size_t most_entries) {
  Placing made = placing_of(whole, most_frames);
  FlameTimeline shown = timeline.renamed(made.places, most_entries);
  if (shown.entries().size() > kManyEntries * most_entries && most_frames != SIZE_MAX) {
    const FoldedTree& folded = made.placed.folded;
    made = placing_of(whole, frames_that_fit(folded.tree, timeline.renamed(folded.node, most_entries), most_entries));
    shown = timeline.renamed(made.places, most_entries);
  }
  timeline = std::move(shown);
  return std::move(made.placed);
}

}  // namespace jrec
