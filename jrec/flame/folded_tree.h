// SPDX-License-Identifier: Apache-2.0
// A tree of stacks with no more nodes than a page can hold: the lightest frames of all are folded, each with what is above it, into one frame
// [folded] on their parent. No weight is lost, and a frame is folded only if all that are lighter are, and those of its weight that are deeper. What ends on top of many folded stacks
// stands on [folded], so that what a method takes by itself is told whatever is folded.
//
//   main --+-- run ------ work            main --+-- run --- work
//          +-- a --- b --- c                     +-- [folded] --- c
//          +-- d
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "jrec/flame/flame_timeline.h"
#include "jrec/flame/page_nodes.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

inline constexpr std::string_view kFoldedFrame = "[folded]";

struct FoldedTree {
  StackTree tree;              // its names are the whole tree's, and [folded]
  std::vector<uint32_t> node;  // where each node of the whole tree is; of one that is folded, its [folded]
  size_t folded = 0;           // nodes; 0: the tree is as it was
  uint64_t weight = 0;         // of the stacks that end in these
};

// Of more than `most` nodes, about so many stay, without the frames [folded] and what stands on them, which are as many at most.
FoldedTree fold_tree(const StackTree& whole, size_t most);

// With the order of its nodes on the page.
struct PlacedTree {
  FoldedTree folded;
  std::vector<PlacedNode> order;
};

// Folds a tree, and further where the timeline of it, as it was read, would have many more entries than that: it keeps its
// time rather than its thinnest frames. The timeline's nodes become places on the page. most_frames SIZE_MAX: all stay.
PlacedTree place_on_page(const StackTree& whole, FlameTimeline& timeline, size_t most_frames, size_t most_entries);

}  // namespace jrec
