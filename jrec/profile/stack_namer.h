// SPDX-License-Identifier: Apache-2.0
// StackNamer puts the stacks of a chunk's samples into its tree, by name: with the class that an event is about on top, and
// with frames that say what is missing, as the options ask. What it counts of them goes to the ChunkSamples, too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_table.h"
#include "jrec/profile/chunk_samples.h"
#include "jrec/profile/frame_names.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/profile/stack_placer.h"

namespace jrec {

// How often a stack came, what that weighs, and the sum of the squares of its draws' weights (tick_squares.h).
struct StackWeight {
  uint64_t weight = 0, samples = 0;
  double squares = 0;
};
using StackWeights = jfr::read::KeyTable<StackWeight, StackKey, SampleKeyHash>;

class StackNamer {
 public:
  StackNamer(jfr::read::Chunk& chunk, const ProfileOptions& options, ChunkSamples& out)
      : chunk_(chunk),
        options_(options),
        out_(out),
        names_(chunk, out.tree, options.frames),
        placer_(out.tree, names_) {}

  // Where each of them ends in the tree. They are added in the order of their keys: stacks that came together are alike, and
  // every reading of a recording gives one tree. Once.
  std::vector<uint32_t> add(const StackWeights& stacks);

 private:
  uint32_t add(const StackKey& key, const FrameNames::StackBytes& bytes, const StackWeight& weight);
  uint32_t add_decoded(const StackKey& key, const StackWeight& weight);
  void count(const StackWeight& weight, bool is_truncated, uint64_t frames);
  StackTree::Frame frame(std::string_view name) { return {out_.tree.intern(name), FrameKind::kOther}; }
  StackTree::Frame frame_of_class(const ConstantKey& about);

  jfr::read::Chunk& chunk_;
  const ProfileOptions& options_;
  ChunkSamples& out_;
  FrameNames names_;
  StackPlacer placer_;
  std::vector<StackTree::Frame> frames_;
  jfr::read::KeyTable<StackTree::Frame, ConstantKey, SampleKeyHash> classes_;  // on top of stacks
};

}  // namespace jrec
