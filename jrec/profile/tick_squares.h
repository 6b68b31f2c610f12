// SPDX-License-Identifier: Apache-2.0
// TickSquares tells what each sample adds to the sum of the squares of its stack's draws (sample_worth.h), where nothing is
// kept of the samples that came before but the last one:
//
//   squares_of_stack += ticks.add(values, place_of_stack);
//
// Copies of one tick stand one behind the other, and are one draw that weighs what they do together.
#pragma once

#include <cstdint>

#include "jrec/profile/sample_reader.h"

namespace jrec {

class TickSquares {
 public:
  double add(const SampleValues& values, uint32_t stack) {
    const bool is_copy = values.time_ns == time_ns_ && stack == stack_ && values.thread == thread_;
    const double before = is_copy ? weight_ : 0;
    time_ns_ = values.time_ns, stack_ = stack, thread_ = values.thread;
    weight_ = before + static_cast<double>(values.weight);
    return weight_ * weight_ - before * before;
  }

 private:
  int64_t time_ns_ = 0;
  uint32_t stack_ = UINT32_MAX;  // no stack's place: there was none before
  ConstantKey thread_;
  double weight_ = 0;
};

}  // namespace jrec
