// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/folded_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace jrec {
namespace {

using Node = StackTree::Node;

// Nodes of that weight and less are folded.
uint64_t heaviest_folded(std::vector<uint64_t> totals, size_t most) {
  std::ranges::nth_element(totals, totals.begin() + static_cast<ptrdiff_t>(most), std::ranges::greater());
  return totals[most];
}

class Folding {
 public:
  Folding(const StackTree& whole, std::vector<uint64_t> totals, uint64_t limit)
      : whole_(whole), nodes_(whole.nodes()), totals_(std::move(totals)), limit_(limit) {
    for (const std::string& name : whole.names()) names_.push_back(out_.tree.intern(name));
    folded_ = {out_.tree.intern(kFoldedFrame), FrameKind::kOther};
    out_.node.resize(nodes_.size());
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

  void add(uint32_t i) {
    stack_.clear();
    uint32_t at = i;
    if (is_folded(i)) {
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
  FoldedTree out_;
  std::vector<uint32_t> names_;
  StackTree::Frame folded_;
  std::vector<StackTree::Frame> stack_;
};

}  // namespace

FoldedTree fold_tree(const StackTree& whole, size_t most) {
  std::vector<uint64_t> totals = whole.totals();
  const uint64_t limit = whole.nodes().size() > most ? heaviest_folded(totals, most) : 0;
  return Folding(whole, std::move(totals), limit).fold();
}

}  // namespace jrec
