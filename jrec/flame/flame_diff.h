// SPDX-License-Identifier: Apache-2.0
// MergedTrees is two trees of stacks laid over each other, for what compares them.
#pragma once

#include <cstdint>
#include <vector>

#include "jrec/profile/stack_tree.h"

namespace jrec {

struct MergedTrees {
  StackTree tree;                // the nodes of both; weights are those of the second
  std::vector<uint64_t> before;  // by node: its own weight in the first
};

MergedTrees merge_trees(const StackTree& before, const StackTree& after);

}  // namespace jrec
