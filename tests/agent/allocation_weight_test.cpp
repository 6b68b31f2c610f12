// SPDX-License-Identifier: Apache-2.0
// What sampled allocations stand for: against the formula, and against the VM's way of sampling; and where it is to sample
// a thread next, so that short threads' weights add up, too.
#include "agent/heap/allocation_weight.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "agent/heap/vm_point.h"
#include "agent/sampling/chance.h"

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

namespace {

// ThreadHeapSampler::pick_next_geometric_sample() behind the constructor, by libm: the table has the logarithm of the
// middle of each of 1,024 steps.
uint64_t as_hotspot_draws(uint64_t sampler, int interval) {
  uint64_t state = static_cast<uint32_t>(sampler);
  if (state == 0) state = 1;
  state = (0x5DEECE66D * state + 0xB) & ((uint64_t{1} << 48) - 1);
  const double drawn = static_cast<double>(static_cast<uint32_t>(state >> 22)) + 1.0;
  uint64_t bits = 0;
  std::memcpy(&bits, &drawn, sizeof bits);
  const uint64_t step = bits >> 42 & 1023;
  const double log2 =
      static_cast<double>(bits >> 52 & 0x7FF) - 1023 + std::log2(1 + (static_cast<double>(step) + 0.5) / 1024);
  return static_cast<uint64_t>(std::min(0.0, log2 - 26) * (-std::log(2.0) * interval) + 1);
}

constexpr int kInterval = 512 * 1024;
constexpr int kThreads = 200'000, kObject = 1000, kObjects = 200;  // 200 kB each

// What samples of so many threads stand for, by what they have allocated, where first() is a thread's first point.
template <typename First>
double told_share(First first) {
  uint64_t random = 7;
  double told = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    auto left = static_cast<int64_t>(first());
    for (int object = 0; object < kObjects; ++object) {
      if (left > kObject) {
        left -= kObject;
        continue;
      }
      told += static_cast<double>(allocation_weight(kObject, kInterval));
      left = static_cast<int64_t>(point_by_chance(kInterval, next_random(random)));
    }
  }
  return told / (double{kThreads} * kObjects * kObject);
}

}  // namespace

TEST_CASE("the first allocation that the VM samples of a new thread is known by the thread's address") {
  uint64_t random = 1;
  int others = 0;
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t sampler = next_random(random) >> 16 << 3, drawn = as_hotspot_draws(sampler, kInterval);
    CHECK_MESSAGE((drawn == 1 || is_first_point_of_vm(sampler, drawn, kInterval)), sampler);
    CHECK_MESSAGE(!is_first_point_of_vm(sampler, drawn + 4, kInterval), sampler);
    others += is_first_point_of_vm(sampler + 0x1000, drawn, kInterval) ? 1 : 0;
  }
  CHECK(others < 10);
  CHECK(is_first_point_of_vm(0, as_hotspot_draws(1, kInterval), kInterval));
}

TEST_CASE("an allocation reaches a point by chance as its weight has it") {
  constexpr int kDraws = 400'000;
  uint64_t random = 3;
  for (const int64_t size : {kInterval / 16, kInterval / 2, kInterval, 4 * kInterval}) {
    int sampled = 0;
    for (int i = 0; i < kDraws; ++i)
      sampled += static_cast<uint64_t>(size) >= point_by_chance(kInterval, next_random(random)) ? 1 : 0;
    CHECK(static_cast<double>(sampled) / kDraws ==
          doctest::Approx(sampled_share(static_cast<double>(size) / kInterval)).epsilon(0.02));
  }
}

// Some 76,000 samples: 2 % is five times what chance does.
TEST_CASE("weights of allocations of short threads add up by points that are chance, and not by the VM's") {
  uint64_t random = 5;
  CHECK(told_share([&] { return point_by_chance(kInterval, next_random(random)); }) ==
        doctest::Approx(1).epsilon(0.02));
  constexpr uint64_t kPlace = 0x7F0000001008;
  CHECK(std::abs(told_share([] { return as_hotspot_draws(kPlace, kInterval); }) - 1) > 0.2);
}
