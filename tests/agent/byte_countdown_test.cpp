// SPDX-License-Identifier: Apache-2.0
// Which allocations of native memory are sampled, and that what they stand for adds up.
#include "agent/nativemem/byte_countdown.h"

#include <doctest/doctest.h>

#include <cmath>

#include "agent/heap/allocation_weight.h"
#include "agent/heap/reservoir.h"

using namespace rec::agent;

TEST_CASE("the exponential is -ln u, from the smallest chance to the largest") {
  for (int bit = 0; bit < 64; ++bit)
    for (const uint64_t more : {uint64_t{0}, (uint64_t{1} << bit) / 3}) {
      const uint64_t random = (uint64_t{1} << bit) + more;
      const double expected = -std::log(std::ldexp(static_cast<double>(random), -64));
      CHECK_MESSAGE(std::abs(exponential(random) - expected) <= 1e-14 * expected + 1e-16, random);
    }
  CHECK(exponential(0) == doctest::Approx(64 * std::log(2)));
  CHECK(exponential(UINT64_MAX) >= 0);
  CHECK(exponential(UINT64_MAX) < 1e-15);
}

namespace {

class SampledThread {
 public:
  explicit SampledThread(uint64_t seed) : random_(seed) {}
  bool samples(size_t size, int64_t interval, uint32_t number) {
    if (!countdown_.runs_out(size, number)) return false;
    const uint64_t random = next_random(random_);
    return countdown_.comes_due(size, interval, number, random, next_random(random_));
  }

 private:
  ByteCountdown countdown_;
  uint64_t random_;
};

}  // namespace

TEST_CASE("weights add up to what was allocated, from 16 bytes to 16 MB, whatever sizes are mixed") {
  constexpr int64_t kInterval = 512 << 10;
  constexpr size_t kSizes[] = {16, 1000, 65'536, 524'288, 1 << 20, 16 << 20};
  constexpr int kKinds = std::size(kSizes);
  constexpr double kOfEach = 6e9;  // bytes: 12,000 samples of small ones, 1 % is a standard deviation
  SampledThread thread(11);
  double allocated[kKinds] = {}, told[kKinds] = {};
  for (int which = 0; which < kKinds; ++which) {
    // The smallest are too many to be called one by one: a tenth of their bytes will do, and the tolerance is theirs.
    const double bytes = which == 0 ? kOfEach / 10 : kOfEach;
    while (allocated[which] < bytes) {
      allocated[which] += static_cast<double>(kSizes[which]);
      if (thread.samples(kSizes[which], kInterval, 1))
        told[which] += static_cast<double>(allocation_weight(static_cast<int64_t>(kSizes[which]), kInterval));
    }
  }
  for (int which = 0; which < kKinds; ++which)
    CHECK(told[which] / allocated[which] == doctest::Approx(1).epsilon(which == 0 ? 0.15 : 0.05));
}

TEST_CASE("threads that allocate little are sampled as often as one that allocates much") {
  constexpr int64_t kInterval = 100'000;
  int samples = 0;
  for (uint64_t each = 1; each <= 20'000; ++each) {
    SampledThread thread(each * 7919);
    for (int i = 0; i < 10; ++i) samples += thread.samples(1000, kInterval, 1);
  }
  CHECK(samples == doctest::Approx(2000).epsilon(0.1));
}

TEST_CASE("a new interval counts from the next allocation on, and none samples nothing") {
  SampledThread thread(5);
  int samples = 0;
  for (int i = 0; i < 100'000; ++i) samples += thread.samples(100, int64_t{1} << 30, 1);
  CHECK(samples <= 2);
  samples = 0;
  for (int i = 0; i < 100'000; ++i) samples += thread.samples(100, 1000, 2);
  CHECK(samples == doctest::Approx(100'000 * (1 - std::exp(-0.1))).epsilon(0.05));
  ByteCountdown countdown;
  CHECK(countdown.runs_out(1, 0));
  countdown.rest(0);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(countdown.runs_out(size_t{1} << 40, 0));
  CHECK(countdown.runs_out(1, 3));
}

TEST_CASE("without an interval each allocation is sampled, also of no bytes") {
  SampledThread thread(1);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{0}, size_t{1} << 40}) CHECK(thread.samples(size, 0, 4));
}
