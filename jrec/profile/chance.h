// SPDX-License-Identifier: Apache-2.0
// How far a difference of two shares may be chance.
//
//   one run a side        shares of samples, each drawn by itself: Agresti and Caffo's interval, and the test of two proportions
//   several runs a side   shares of runs, which differ among each other, too: Welch's interval and test; of many methods at
//                         once Student's, with a variance that all of them tell of (shared_variance.h)
//
//   several differences at once: adjusted() makes of their probabilities those that control false discoveries (Benjamini and
//   Hochberg): of all that are at most 0.05, one in twenty is chance, on average
//
// Shares and differences are of one, not of a hundred.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jrec/profile/shared_variance.h"

namespace jrec {

struct Difference {
  double value = 0;          // after less before
  double low = 0, high = 0;  // where the true one lies, in 19 of 20 cases
  double probability = 1;    // of one so large, were there none
  bool known = false;        // there is enough to say so
  // Where counts are few and unequal the probability and the interval may disagree: both must say that there is one.
  bool is_one() const { return low > 0 || high < 0; }
};

// Of samples: `hits` of `samples` on each side. Known from kFewestHits hits on both sides together, and kFewestSamples
// samples on each.
inline constexpr double kFewestHits = 10, kFewestSamples = 100;
Difference difference_of_shares(double hits_before, double samples_before, double hits_after, double samples_after);

// Of the shares of runs. Known from two runs a side on. least_variance: of the difference, by its samples alone; few runs may be alike by
// chance. shared: what has learned of this one, too; null: it stands alone.
Difference difference_of_runs(std::span<const double> before, std::span<const double> after, double least_variance = 0,
                              const SharedVariance* shared = nullptr);

// In the order that they came in.
std::vector<double> adjusted(const std::vector<double>& probabilities);

// Student's t: the probability of one as far from 0 or further, on both sides; and the t of which that is 0.05.
double probability_of_t(double t, double freedom);
double t_of_a_twentieth(double freedom);

}  // namespace jrec
