// SPDX-License-Identifier: Apache-2.0
// Tally is what one column of one row adds up to: it takes the cells of events, and yields a cell in the end.
//
// Whole numbers are added as whole numbers, however many: nothing is rounded or held. Nulls are not counted, but by kCount of a
// column without a field.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "jrec/view/cell.h"
#include "jrec/view/quantiles.h"
#include "jrec/view/view.h"

namespace jrec {

class Tally {
 public:
  // at_ns: when the event ended. kFirst and kLast go by it, whatever the order of events in the file. jvm: whose event it is
  // (jvm_numbers.h): kDiff is of what each JVM counts by itself, and of times what lies between the first and the last.
  void add(Aggregate aggregate, const Cell& cell, int64_t at_ns, uint32_t jvm = 0);
  void count_event() { ++count_; }
  Cell result(Aggregate aggregate) const;

 private:
  struct Growth {
    Cell first, last;
    int64_t first_ns = 0, last_ns = 0;
    uint64_t looks = 0;
  };
  void add_sum(const Cell& cell);
  void add_look(const Cell& cell, int64_t at_ns, uint32_t jvm);
  Cell sum() const;
  Cell average() const;
  Cell difference() const;
  Cell quantile(double share) const;

  uint64_t count_ = 0;
  int64_t first_ns_ = 0, last_ns_ = 0;
  Whole whole_ = 0;
  WideReal real_ = 0;
  Cell cell_;  // the key, the smallest, largest, last; of sums: the kind and content
  std::unique_ptr<std::map<uint32_t, Growth>> growths_;  // of kDiff, by JVM
  std::unique_ptr<Quantiles> values_;                    // of quantiles
  std::unique_ptr<std::set<std::string>> met_;           // of kUnique
};

}  // namespace jrec
