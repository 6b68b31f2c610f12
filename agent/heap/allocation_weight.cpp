// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/allocation_weight.h"

namespace rec::agent {
namespace {

constexpr double kCertain = 40;   // beyond it nothing is missing to 1 that a double could hold
constexpr double kSmall = 0.125;  // up to it the series below is exact
constexpr int kTerms = 14;

// 1 - exp(-x) = x - x^2/2! + x^3/3! - ...
double series(double x) {
  double sum = 0;
  for (int n = kTerms; n >= 1; --n) sum = x / n * (1 - sum);
  return sum;
}

}  // namespace

// Of twice as much: 1 - exp(-2y) = a (2 - a), where a = 1 - exp(-y).
double sampled_share(double x) {
  if (x >= kCertain) return 1;
  int doublings = 0;
  for (; x > kSmall; x /= 2) ++doublings;
  double share = series(x);
  for (; doublings > 0; --doublings) share *= 2 - share;
  return share;
}

int64_t allocation_weight(int64_t size, int64_t interval) {
  if (interval <= 0 || size <= 0) return size;
  return static_cast<int64_t>(
      static_cast<double>(size) / sampled_share(static_cast<double>(size) / static_cast<double>(interval)) + 0.5);
}

}  // namespace rec::agent
