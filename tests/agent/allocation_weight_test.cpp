// SPDX-License-Identifier: Apache-2.0
// What sampled allocations stand for: against the formula, and against the VM's way of sampling.
#include "agent/heap/allocation_weight.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace rec::agent;

TEST_CASE("the share of objects that are sampled is exact from the smallest to the largest") {
  for (double x = 1e-9; x < 100; x *= 1.3) CHECK_MESSAGE(std::abs(sampled_share(x) / -std::expm1(-x) - 1) < 1e-13, x);
  CHECK(sampled_share(0) == 0);
}

TEST_CASE("small objects stand for an interval, large ones for themselves") {
  CHECK(allocation_weight(16, 524'288) == 524'296);
  CHECK(allocation_weight(524'288, 524'288) == 829'411);
  CHECK(allocation_weight(16 << 20, 524'288) == 16 << 20);
  CHECK(allocation_weight(24, 0) == 24);
  CHECK(allocation_weight(0, 524'288) == 0);
}

// As the VM does: the next point is drawn anew behind each object that was sampled.
TEST_CASE("weights add up to what was allocated, by size, also where sizes are about the interval") {
  constexpr int64_t kInterval = 4096;
  constexpr int64_t kSizes[] = {16, 1000, 4096, 10'000, 100'000};
  std::mt19937_64 random(7);
  std::exponential_distribution<double> gap(1.0 / kInterval);
  double left = gap(random), allocated[5] = {}, told[5] = {};
  for (int i = 0; i < 4'000'000; ++i) {
    const size_t which = i % 64 == 0 ? random() % 5 : random() % 3;
    const int64_t size = kSizes[which];
    allocated[which] += static_cast<double>(size);
    if (static_cast<double>(size) < left) {
      left -= static_cast<double>(size);
      continue;
    }
    told[which] += static_cast<double>(allocation_weight(size, kInterval));
    left = gap(random);
  }
  for (int i = 0; i < 5; ++i) CHECK(told[i] / allocated[i] == doctest::Approx(1).epsilon(0.02));
}
