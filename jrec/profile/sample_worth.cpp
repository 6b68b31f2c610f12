// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_worth.h"

namespace jrec {
namespace {

bool of_one_tick(const TimedSample& a, const TimedSample& b) {
  return a.time_ns == b.time_ns && a.thread == b.thread && a.node == b.node;
}

}  // namespace

void SampleWorth::add(std::span<const TimedSample> samples, Copies copies) {
  for (size_t i = 0; i < samples.size();) {
    const TimedSample& tick = samples[i];
    auto weight = static_cast<double>(tick.weight);
    for (++i; copies == Copies::kOneDraw && i < samples.size() && of_one_tick(samples[i], tick); ++i)
      weight += static_cast<double>(samples[i].weight);
    sum_ += weight;
    squares_ += weight * weight;
  }
}

}  // namespace jrec
