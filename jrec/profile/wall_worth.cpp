// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/wall_worth.h"

#include <algorithm>

namespace jrec {
namespace {

double looks_of(const TimedSample& sample, uint64_t period_ns) {
  return period_ns > 0 && sample.ns > 0 ? static_cast<double>(sample.ns) / static_cast<double>(period_ns)
                                        : static_cast<double>(sample.weight);
}

// Each method that is in a stack, once.
template <typename Take>
void each_name(const StackTree& tree, uint32_t node, std::vector<uint32_t>& met, uint32_t mark, const Take& take) {
  const auto& nodes = tree.nodes();
  for (uint32_t at = node; at != 0; at = nodes[at].parent) {
    if (met[nodes[at].name] == mark) continue;
    met[nodes[at].name] = mark;
    take(nodes[at].name);
  }
}

double typical_weight(const SampleWorth& draws) { return draws.sum() > 0 ? draws.squares() / draws.sum() : 0; }

SampleWorth less(const SampleWorth& all, const SampleWorth& part) {
  SampleWorth rest;
  rest.add(std::max(all.sum() - part.sum(), 0.0), std::max(all.squares() - part.squares(), 0.0));
  return rest;
}

double around(double share, const SampleWorth& met, const SampleWorth& missed) {
  return met.squares() * (1 - share) * (1 - share) + missed.squares() * share * share;
}

// One more, of the weight that such draws have.
SampleWorth one_more(SampleWorth draws, double weight) {
  draws.add(weight, weight * weight);
  return draws;
}

}  // namespace

void WallWorth::add(const SampleChunk& chunk) {
  if (chunk.rescale != 1) rescale_threads(chunk.rescale);
  for (const TimedSample& sample : chunk.samples) add(sample, looks_of(sample, chunk.period_ns));
}

void WallWorth::rescale_threads(uint64_t factor) {
  for (Thread& thread : threads_) thread.worth.rescale(factor), thread.last.weight *= static_cast<double>(factor);
  for (auto& [key, worth] : met_) worth.rescale(factor);
}

void WallWorth::add(const TimedSample& sample, double looks) {
  if (sample.thread >= threads_.size()) threads_.resize(size_t{sample.thread} + 1);
  Thread& thread = threads_[sample.thread];
  Draw& last = thread.last;
  const bool stood = looks > 1, is_at_place = last.node == sample.node;
  const bool goes_on = is_at_place && ((last.stood && stood) || last.time_ns == sample.time_ns);
  const double before = goes_on ? last.weight : 0, weight = before + static_cast<double>(sample.weight);
  last = {sample.time_ns, sample.node, stood, weight};
  const double sum = weight - before, squares = weight * weight - before * before;
  thread.looks += looks;
  thread.worth.add(sum, squares);
  met_[uint64_t{sample.thread} << 32 | sample.node].add(sum, squares);
}

void WallWorth::settle() {
  std::unordered_map<uint32_t, Met> by_node;
  for (const auto& [key, worth] : met_) {
    Met& met = by_node[static_cast<uint32_t>(key)];
    (threads_[key >> 32].is_still() ? met.still : met.others).add(worth);
  }
  for (const auto& [node, met] : by_node) places_.push_back({node, met});
  std::ranges::sort(places_, {}, &Place::node);
  for (const Thread& thread : threads_) {
    (thread.is_still() ? still_ : others_).add(thread.worth);
    if (!thread.is_still()) draws_of_others_ += thread.worth.draws();
  }
  threads_.clear(), met_.clear();
}

void WallWorth::rescale(uint64_t factor) {
  others_.rescale(factor), still_.rescale(factor);
  for (Place& place : places_) place.met.others.rescale(factor), place.met.still.rescale(factor);
}

// As many as there would be, were what is given drawn as finely.
double WallWorth::draws_of_rare() const {
  return others_.sum() > 0 ? draws_of_others_ * (others_.sum() + still_.sum()) / others_.sum() : still_.draws();
}

// As if one more draw had met it, and one more had not: that all of a few draws met it, or but one, does not say that all would (as in
// Agresti and Caffo's interval).
double WallWorth::spread(const Met& met) const {
  const double share = (met.others.sum() + met.still.sum()) / (others_.sum() + still_.sum());
  const SampleWorth others = one_more(met.others, typical_weight(met.others));
  double sum = around(share, others, less(others_, met.others));
  if (met.still.sum() <= 0) return sum;
  const SampleWorth missed = less(still_, met.still);
  const SampleWorth in = one_more(met.still, typical_weight(met.still)),
                    out = one_more(missed, typical_weight(missed.sum() > 0 ? missed : met.still));
  return sum + around(in.sum() / (in.sum() + out.sum()), in, out);
}

std::vector<WallWorth::Spread> WallWorth::by_name(const StackTree& tree) const {
  std::vector<Met> self(tree.names().size()), total(self.size());
  std::vector<uint32_t> met(self.size());
  uint32_t mark = 0;
  for (const Place& place : places_) {
    self[tree.nodes()[place.node].name].add(place.met);
    each_name(tree, place.node, met, ++mark, [&](uint32_t name) { total[name].add(place.met); });
  }
  std::vector<Spread> spreads;
  for (size_t name = 0; name < self.size(); ++name) spreads.push_back({spread(self[name]), spread(total[name])});
  return spreads;
}

double WallWorth::spread_of(const std::vector<bool>& is_inside) const {
  Met inside;
  for (const Place& place : places_)
    if (is_inside[place.node]) inside.add(place.met);
  return spread(inside);
}

}  // namespace jrec
