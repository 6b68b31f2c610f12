// SPDX-License-Identifier: Apache-2.0
// Quantiles keeps values until somebody asks which one a share of them does not exceed.
//
//   exact, up to kExact values       then a histogram: 256 steps in each power of two, so less than 0.4% off
//
// The place is the JDK's: share * (n + 1) in the order of n values, counted from 1; between two values in proportion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "jrec/values/whole.h"

namespace jrec {

class Quantiles {
 public:
  static constexpr size_t kExact = 65536;

  void add(WideReal value);
  WideReal at(double share);  // 0 < share < 1; 0 when there are no values

 private:
  static int64_t step_of(double value);
  static double value_of(int64_t step);
  void spread();
  WideReal in_place(uint64_t place);

  std::vector<WideReal> values_;
  std::map<int64_t, uint64_t> steps_;  // how many values are in each; empty while values_ are exact
  uint64_t count_ = 0;
};

}  // namespace jrec
