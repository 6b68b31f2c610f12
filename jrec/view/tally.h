// SPDX-License-Identifier: Apache-2.0
// Tally is what one column of one row adds up to: it takes the cells of events, and yields a cell in the end.
//
// Whole numbers are added as whole numbers, however many: nothing is rounded or held. Nulls are not counted, but by kCount of a
// column without a field.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "jrec/view/cell.h"
#include "jrec/view/quantiles.h"
#include "jrec/view/view.h"

namespace jrec {

class Tally {
 public:
  // at_ns: when the event ended. kFirst and kLast go by it, whatever the order of events in the file.
  void add(Aggregate aggregate, const Cell& cell, int64_t at_ns);
  void count_event() { ++count_; }
  Cell result(Aggregate aggregate) const;

 private:
  void add_sum(const Cell& cell);
  Cell sum() const;
  Cell average() const;
  Cell difference() const;
  Cell quantile(double share) const;

  uint64_t count_ = 0;
  int64_t first_ns_ = 0, last_ns_ = 0;
  Whole whole_ = 0;
  WideReal real_ = 0;
  Cell cell_;                                   // the key, the smallest, largest, last; of sums: the kind and content
  std::unique_ptr<Cell> first_;                 // of kDiff
  std::unique_ptr<Quantiles> values_;           // of quantiles
  std::unique_ptr<std::set<std::string>> met_;  // of kUnique
};

}  // namespace jrec
