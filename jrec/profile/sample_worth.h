// SPDX-License-Identifier: Apache-2.0
// SampleWorth tells how many draws of one weight, each made by itself, say as much as the samples that there are:
//
//   (sum of the weights)^2 / sum of their squares          Kish's effective size of a sample
//
// Samples of one weight are worth their number; a few that weigh much make all the others worth little. Copies of one tick
// (one time, thread and stack, one behind the other: docs/clocks.md) are one draw, which weighs what they do together; live
// objects, which all have the time of their dump, are draws of their own.
#pragma once

#include <span>

#include "jrec/profile/chunk_samples.h"

namespace jrec {

class SampleWorth {
 public:
  enum class Copies : uint8_t { kOneDraw, kNone };
  void add(std::span<const TimedSample> samples, Copies copies = Copies::kOneDraw);  // of a chunk, by time
  void add(double sum, double squares) { sum_ += sum, squares_ += squares; }
  void add(const SampleWorth& other) { sum_ += other.sum_, squares_ += other.squares_; }
  void rescale(uint64_t factor) {  // what was added
    const auto by = static_cast<double>(factor);
    sum_ *= by, squares_ *= by * by;
  }
  double sum() const { return sum_; }
  double squares() const { return squares_; }
  double draws() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

 private:
  double sum_ = 0, squares_ = 0;
};

}  // namespace jrec
