// SPDX-License-Identifier: Apache-2.0
// `jrec diff A B`: which methods take a larger share of B than of A, and which a smaller one.
//
// Shares are compared, not weights: recordings differ in length and period. Self is what was on top, total what was
// anywhere in the stack; a change is in points, hundredths of the whole. The largest change comes first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct DiffOptions {
  std::string before, after;  // files
  ProfileOptions profile;
  size_t rows = 20;
  size_t width = 0;           // columns; 0: those of the terminal
  std::string sort = "self";  // or "total"
  bool json = false;
};

struct MethodChange {
  struct Side {
    uint64_t self = 0, total = 0;
    double self_share = 0, total_share = 0;  // percent of the recording
  };
  std::string name;
  Side before, after;
  double self_points() const { return after.self_share - before.self_share; }
  double total_points() const { return after.total_share - before.total_share; }
};

// Every method of either, the largest change first.
std::vector<MethodChange> method_changes(const StackTree& before, const StackTree& after, bool by_total);

ExitCode run_diff(const DiffOptions& options, Output& out);

}  // namespace jrec
