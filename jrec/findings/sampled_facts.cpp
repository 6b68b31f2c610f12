// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/sampled_facts.h"

#include <algorithm>
#include <cmath>

namespace jrec {

void SampledFacts::add(const ChunkSamples& part) {
  if (samples == 0) event_type = part.event_type;
  samples += part.count;
  truncated += part.truncated;
  longest_cut = std::max(longest_cut, part.longest_cut);
  without_stack += part.without_stack;
  const std::vector<uint32_t> places = tree.add(part.tree);
  squares.resize(tree.nodes().size());
  for (size_t i = 0; i < part.squares.size(); ++i) squares[places[i]] += part.squares[i];
}

void SampledFacts::scale(uint64_t factor) {
  tree.scale(factor);
  for (double& square : squares) square *= static_cast<double>(factor) * static_cast<double>(factor);
}

SampleWorth SampledFacts::worth_at(size_t node) const {
  SampleWorth worth;
  worth.add(static_cast<double>(tree.self(node)), squares[node]);
  return worth;
}

double at_least(double share, double draws) {
  constexpr double kZ = 1.645;
  const double p = share / 100, z2 = kZ * kZ / draws;
  return 100 * (p + z2 / 2 - kZ * std::sqrt((p * (1 - p) + z2 / 4) / draws)) / (1 + z2);
}

SampleWorth SampledFacts::worth() const {
  SampleWorth worth;
  for (size_t i = 0; i < squares.size(); ++i) worth.add(worth_at(i));
  return worth;
}

}  // namespace jrec
