// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/folded_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace jrec {
namespace {

using Node = StackTree::Node;

constexpr uint64_t kTopsOf = 1000;  // of all the weight; lighter ones are in [folded] itself

// Nodes of that weight and less are folded.
uint64_t heaviest_folded(std::vector<uint64_t> totals, size_t most) {
  std::ranges::nth_element(totals, totals.begin() + static_cast<ptrdiff_t>(most), std::ranges::greater());
  return totals[most];
}

class Folding {
 public:
  Folding(const StackTree& whole, std::vector<uint64_t> totals, uint64_t limit, size_t most)
      : whole_(whole), nodes_(whole.nodes()), totals_(std::move(totals)), limit_(limit), most_(most) {
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
  bool is_folded(uint32_t i) const { return totals_[i] <= limit_; }

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
    if (parent == 0 || !is_folded(parent)) return out_.tree.child_of(node, folded_);
    return out_.tree.nodes()[node].name == folded_ ? node : out_.tree.nodes()[node].parent;
  }

  const StackTree& whole_;
  const base::GrowingArray<Node>& nodes_;
  const std::vector<uint64_t> totals_;
  const uint64_t limit_;
  const size_t most_;
  FoldedTree out_;
  std::vector<uint32_t> names_;
  std::vector<bool> is_heavy_top_;  // by name
  uint32_t folded_ = 0;             // the name
};

}  // namespace

FoldedTree fold_tree(const StackTree& whole, size_t most) {
  std::vector<uint64_t> totals = whole.totals();
  const uint64_t limit = whole.nodes().size() > most ? heaviest_folded(totals, most) : 0;
  return Folding(whole, std::move(totals), limit, most).fold();
}

}  // namespace jrec
