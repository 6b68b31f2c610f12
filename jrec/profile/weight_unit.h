// SPDX-License-Identifier: Apache-2.0
// WeightUnit is what one of the weights of a tree of samples stands for, in time.
//
// Samples of one period are counted: 3 samples. Where a part with another period comes (`jrec set`, several recordings, an
// event that tells its own), counts can no longer be added up, and all weights become nanoseconds:
//
//   tree, 10 ms each     3 samples  --meet(10 ms)-->  as they are
//   + a part of 4 ms     5 samples  --meet(4 ms)--->  tree x 10,000,000, part x 4,000,000: 30 ms and 20 ms
//
// A part that does not tell its period (0) has that of those before.
#pragma once

#include <cstdint>

namespace jrec {

class WeightUnit {
 public:
  struct Factors {
    uint64_t tree = 1, part = 1;  // what the weights are to be multiplied by
  };
  Factors meet(uint64_t part_ns) {
    if (part_ns == 0) part_ns = last_ns_;
    last_ns_ = part_ns;
    if (ns_ == 0) ns_ = part_ns;
    if (are_alike(part_ns, ns_)) return {};
    const uint64_t tree = ns_;
    ns_ = 1;
    return {tree, part_ns};
  }
  // Within a hundredth: clocks of different resolution tell one period in several ways.
  static bool are_alike(uint64_t a, uint64_t b) { return (a > b ? a - b : b - a) <= a / 100; }
  bool is_time() const { return ns_ == 1; }  // weights are nanoseconds
  uint64_t ns() const { return ns_; }        // 0: not known

 private:
  uint64_t ns_ = 0, last_ns_ = 0;
};

}  // namespace jrec
