// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/folded_tree.h"

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
    folded_ = {out_.tree.intern(kFoldedFrame), FrameKind::kOther};
    out_.node.resize(nodes_.size());
    find_heavy_tops();
  }

  FoldedTree fold() {
    for (uint32_t i = 1; i < nodes_.size(); ++i) {
      if (is_folded(i)) ++out_.folded;
      if (whole_.self(i) != 0) add(i);
    }
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

  void add(uint32_t i) {
    stack_.clear();
    uint32_t at = i;
    if (is_folded(i)) {
      if (stands_on_folded(i)) stack_.push_back({names_[nodes_[i].name], nodes_[i].kind});
      stack_.push_back(folded_);
      out_.weight += whole_.self(i);
      while (at != 0 && is_folded(at)) at = nodes_[at].parent;
    }
    for (; at != 0; at = nodes_[at].parent) stack_.push_back({names_[nodes_[at].name], nodes_[at].kind});
    std::ranges::reverse(stack_);
    out_.node[i] = out_.tree.add(stack_, whole_.self(i));
  }

  const StackTree& whole_;
  const std::vector<Node>& nodes_;
  const std::vector<uint64_t> totals_;
  const uint64_t limit_;
  const size_t most_;
  FoldedTree out_;
  std::vector<uint32_t> names_;
  std::vector<bool> is_heavy_top_;  // by name
  StackTree::Frame folded_;
  std::vector<StackTree::Frame> stack_;
};

}  // namespace

FoldedTree fold_tree(const StackTree& whole, size_t most) {
  std::vector<uint64_t> totals = whole.totals();
  const uint64_t limit = whole.nodes().size() > most ? heaviest_folded(totals, most) : 0;
  return Folding(whole, std::move(totals), limit, most).fold();
}

}  // namespace jrec
