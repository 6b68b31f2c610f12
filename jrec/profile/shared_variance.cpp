// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/shared_variance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jrec {
namespace {

constexpr size_t kFewestMethods = 8;
constexpr double kMostFreedom = 100;  // that others add: next to nothing is gained beyond
constexpr double kLargeEnough = 8;    // for the series of digamma and trigamma

// The derivatives of the logarithm of the gamma function (Abramowitz and Stegun, 6.3.5, 6.3.18, 6.4.6, 6.4.12).
double digamma(double x) {
  double sum = 0;
  for (; x < kLargeEnough; ++x) sum -= 1 / x;
  const double square = 1 / (x * x);
  return sum + std::log(x) - 1 / (2 * x) - square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
}

double trigamma(double x) {
  double sum = 0;
  for (; x < kLargeEnough; ++x) sum += 1 / (x * x);
  const double square = 1 / (x * x);
  return sum + 1 / x + square / 2 + square / x * (1.0 / 6 - square * (1.0 / 30 - square / 42));
}

// It falls as x grows.
double inverse_trigamma(double value) {
  double low = 1e-6, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (trigamma(middle) > value ? low : high) = middle;
  }
  return high;
}

// What samples by chance would have, times their number.
double by_chance(std::span<const double> before, std::span<const double> after) {
  const double share = (mean_of(before) + mean_of(after)) / 2;
  return share * (1 - share);
}

double own_variance(std::span<const double> before, std::span<const double> after) {
  return (squares_around_mean(before) + squares_around_mean(after)) /
         static_cast<double>(before.size() + after.size() - 2);
}

}  // namespace

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_around_mean(std::span<const double> values) {
  const double mean = mean_of(values);
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

void SharedVariance::add(std::span<const double> before, std::span<const double> after) {
  own_freedom_ = static_cast<double>(before.size() + after.size()) - 2;
  const double expected = by_chance(before, after), own = own_variance(before, after);
  if (expected > 0 && own > 0) ratios_.push_back(own / expected);
}

// The logarithm of a variance that is known by few runs has a known mean and variance around the true one's; what is beyond
// that is how the true ones differ.
void SharedVariance::learn() {
  if (ratios_.size() < kFewestMethods || own_freedom_ <= 0) return;
  const double half = own_freedom_ / 2;
  std::vector<double> logs;
  for (const double ratio : ratios_) logs.push_back(std::log(ratio) - digamma(half) + std::log(half));
  const double beyond = squares_around_mean(logs) / static_cast<double>(logs.size() - 1) - trigamma(half);
  others_freedom_ = beyond > 0 ? std::min(2 * inverse_trigamma(beyond), kMostFreedom) : kMostFreedom;
  common_ratio_ = std::exp(mean_of(logs) + digamma(others_freedom_ / 2) - std::log(others_freedom_ / 2));
}

double SharedVariance::variance(std::span<const double> before, std::span<const double> after) const {
  const double others = common_ratio_ * by_chance(before, after);
  return (own_freedom_ * own_variance(before, after) + others_freedom_ * others) / freedom();
}

}  // namespace jrec
