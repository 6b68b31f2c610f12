// SPDX-License-Identifier: Apache-2.0
// LossShare is how many of one kind of samples are missing, of those that were due: each loss stands beside the kind that it is
// a loss of. That a recording has many allocations says nothing of how much CPU time it lacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/findings/facts.h"

namespace jrec {

struct LossShare {
  std::string what;  // "samples of CPU time"
  uint64_t lost = 0;
  uint64_t due = 0;        // what was written, and what was lost
  std::string cause;       // the one of most of them, as rec.Counters names it; empty: none is told
  uint64_t of_cause = 0;   // how many that are
  double percent() const;  // 0 where none were due
};

// Of all kinds of which something is known, whether they lost any or not.
std::vector<LossShare> loss_shares(const Facts& facts);

}  // namespace jrec
