// SPDX-License-Identifier: Apache-2.0
// A condition for builds, `jrec diff --fail-if`:
//
//   total("com.acme.*") > +2 %         the share of samples with such a method anywhere grew by more than 2 points
//   self("*.parse") > 0.5              with such a method on top, by more than half a point
//   total("com.acme.Cache.*") < -5 %   shrank
//
// Names are written with * and ?, as in a shell. It holds when the change is beyond the limit and more than chance
// (chance.h, a probability of at most 0.05); with too few samples it does not, which is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jrec/profile/chance.h"
#include "jrec/profile/diff.h"

namespace jrec {

class FailIf {
 public:
  static base::Result<FailIf> parse(std::string_view words);

  // Whether there is a method that is meant. If neither side has one, a build's gate would be open, and unknown_name() says so.
  bool names_any(const DiffSide& side) const;
  std::string unknown_name() const;

  // explained: a line of text is appended; nullptr: none.
  bool holds(const DiffSide& before, const DiffSide& after, const LearnedVariances& learned,
             std::string* explained) const;

 private:
  std::vector<bool> nodes_of(const StackTree& tree) const;  // whose own samples are meant
  SideShares shares_on(const DiffSide& side, std::vector<double>& of_runs) const;
  Difference measure(const DiffSide& before, const DiffSide& after, const LearnedVariances& learned) const;

  std::string words_, pattern_;
  bool total_ = false, grows_ = true;
  double points_ = 0;
};

}  // namespace jrec
