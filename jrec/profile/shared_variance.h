// SPDX-License-Identifier: Apache-2.0
// How much runs of a program differ, learned from all of its methods at once. What three runs a side say of one method's own
// variance is little; but methods are alike in it, when it is told as a multiple of share * (1 - share), which is what it is
// of samples drawn by chance. So each method's is drawn toward that of all: the more, the more alike they are, and the fewer
// runs there are (G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression in microarray
// experiments", 2004; the moments of section 6.2).
//
//   add() each method that is in enough samples, learn(), variance() of each and freedom() of all
#pragma once

#include <span>
#include <vector>

namespace jrec {

double mean_of(std::span<const double> values);
double squares_around_mean(std::span<const double> values);  // their sum

class SharedVariance {
 public:
  // The shares of one method in the runs of each side, of one. All methods have the same numbers of runs, two a side and more.
  void add(std::span<const double> before, std::span<const double> after);
  void learn();

  // Of a run, within its side.
  double variance(std::span<const double> before, std::span<const double> after) const;
  // Of Student's t that goes with it; without what others tell: the runs less two.
  double freedom() const { return own_freedom_ + others_freedom_; }

 private:
  std::vector<double> ratios_;  // of the variances to share * (1 - share); none is 0
  double own_freedom_ = 0, others_freedom_ = 0, common_ratio_ = 0;
};

}  // namespace jrec
