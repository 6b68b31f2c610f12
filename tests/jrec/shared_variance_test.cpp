// SPDX-License-Identifier: Apache-2.0
// That methods may tell of each other's variance: false alarms stay as many as they should, and few runs find more.
#include "jrec/profile/shared_variance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "jrec/profile/chance.h"

using jrec::difference_of_runs;
using jrec::SharedVariance;

namespace {

constexpr int kMethods = 40;

struct Runs {
  std::vector<double> before, after;
};

// Shares of methods in some runs a side, which differ by chance. unlike: how far their variances do, as the deviation of
// a logarithm. grown: of method 0, by how many times in the runs after.
std::vector<Runs> runs_of(std::mt19937& random, int a_side, double unlike, double grown = 1) {
  std::normal_distribution<double> normal;
  std::vector<Runs> all(kMethods);
  for (int i = 0; i < kMethods; ++i) {
    const double share = 0.2 / (1 + i), deviation = 0.05 * std::sqrt(share) * std::exp(unlike * normal(random) / 2);
    for (int run = 0; run < a_side; ++run) {
      all[i].before.push_back(share + deviation * normal(random));
      all[i].after.push_back((i == 0 ? grown : 1) * share + deviation * normal(random));
    }
  }
  return all;
}

SharedVariance learned(const std::vector<Runs>& all) {
  SharedVariance shared;
  for (const Runs& each : all) shared.add(each.before, each.after);
  shared.learn();
  return shared;
}

// How often a difference of nothing is called one, of one in twenty; and how often that of method 0 is one in a thousand.
struct Told {
  double false_alarms = 0, found = 0;
};
Told told(int a_side, double unlike, double grown, bool alone) {
  constexpr int kRounds = 300;
  std::mt19937 random(1);
  Told told;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Runs> all = runs_of(random, a_side, unlike, grown);
    const SharedVariance shared = learned(all);
    for (int i = 0; i < kMethods; ++i) {
      const double probability =
          difference_of_runs(all[i].before, all[i].after, 0, alone ? nullptr : &shared).probability;
      if (i == 0)
        told.found += probability < 0.001 ? 1.0 / kRounds : 0;
      else
        told.false_alarms += probability < 0.05 ? 1.0 / kRounds / (kMethods - 1) : 0;
    }
  }
  return told;
}

}  // namespace

TEST_CASE("chance: what methods tell of each other's variance gives no more false alarms than one in twenty" *
          doctest::test_suite("simulation")) {
  for (const int a_side : {2, 3, 6})
    for (const double unlike : {0.0, 0.7, 1.5}) {
      CAPTURE(a_side);
      CAPTURE(unlike);
      CHECK(told(a_side, unlike, 1, false).false_alarms == doctest::Approx(0.05).epsilon(0.2));
    }
}

TEST_CASE("chance: with what methods tell of each other, three runs a side find what is hidden from each alone" *
          doctest::test_suite("simulation")) {
  CHECK(told(3, 0.7, 1.5, true).found < 0.3);
  CHECK(told(3, 0.7, 1.5, false).found > 0.6);
  CHECK(told(2, 0, 1.5, true).found < 0.1);
  CHECK(told(2, 0, 1.5, false).found > 0.5);
}

TEST_CASE("chance: few methods, or such as never differ, tell nothing of each other") {
  SharedVariance shared;
  const std::vector<double> before = {0.5, 0.5}, after = {0.6, 0.6}, noisy = {0.1, 0.2};
  shared.learn();
  CHECK(shared.freedom() == 0);
  for (int i = 0; i < 20; ++i) shared.add(before, after);
  shared.learn();
  CHECK(shared.freedom() == 2);
  CHECK(shared.variance(before, after) == 0);
  shared.add(noisy, noisy);
  shared.learn();
  CHECK(shared.freedom() == 2);
  CHECK(shared.variance(noisy, noisy) == doctest::Approx(0.005));
}
