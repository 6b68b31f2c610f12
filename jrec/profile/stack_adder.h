// SPDX-License-Identifier: Apache-2.0
// StackAdder puts the stacks of one chunk into a StackTree, by name: with the class that an event is about on top, and
// with frames that say what is missing, as the options ask.
//
// In the order of their keys: stacks that came together are alike, and every reading of a recording gives one tree.
#pragma once

#include <vector>

#include "jrec/profile/frame_names.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_events.h"

namespace jrec {

class StackAdder {
 public:
  StackAdder(jfr::read::Chunk& chunk, StackTree& tree, const ProfileOptions& options)
      : chunk_(chunk), tree_(tree), options_(options), names_(chunk, tree, options.frames) {}

  // Where each of them ends in the tree.
  std::vector<uint32_t> add(const StackWeights& stacks);

  uint64_t samples = 0;        // of all stacks that were added
  uint64_t truncated = 0;      // of these: outer frames are missing
  uint64_t without_stack = 0;  // of these

 private:
  uint32_t add_one(const StackKey& key, const StackWeight& weight);

  jfr::read::Chunk& chunk_;
  StackTree& tree_;
  const ProfileOptions& options_;
  FrameNames names_;
  std::vector<Frame> frames_;
};

}  // namespace jrec
