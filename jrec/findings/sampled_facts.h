// SPDX-License-Identifier: Apache-2.0
// SampledFacts is the samples of one kind, merged, and how much they say: a few that weigh much make all the others worth
// little (sample_worth.h), so that a share is told by what its samples are worth and not by how many there are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/profile/chunk_samples.h"
#include "jrec/profile/sample_worth.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

struct SampledFacts {
  std::string event_type, unit;  // empty: there are none
  uint64_t samples = 0, truncated = 0, without_stack = 0;
  uint64_t longest_cut = 0;  // frames of the longest of those that are truncated
  StackTree tree;
  std::vector<double> squares;  // by node: of the weights of what ends there

  void add(const ChunkSamples& part);
  void scale(uint64_t factor);  // all weights
  SampleWorth worth_at(size_t node) const;
  SampleWorth worth() const;  // of all
};

// Percent: a share of what is worth so many draws is at least that, in 19 of 20 cases (Wilson's interval).
double at_least(double share, double draws);

}  // namespace jrec
