// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/chance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jrec {
namespace {

constexpr double kTwentieth = 1.959963984540054;  // of a normal distribution, on both sides

double probability_of_z(double z) { return std::erfc(std::fabs(z) / std::sqrt(2.0)); }

// The continued fraction of the incomplete beta function, by Lentz's way.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-14;
  constexpr int kMostSteps = 500;
  const auto held = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / held(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m <= kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                 odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double part : {even, odd}) {
      d = 1 / held(1 + part * d);
      c = held(1 + part / c);
      result *= d * c;
    }
    if (std::fabs(d * c - 1) < kEnough) break;
  }
  return result;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// The variance of the mean of these.
double variance_of_mean(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  return squares_around_mean(values) / (count - 1) / count;
}

// The variance of the difference of two means, and how well it is known.
struct Spread {
  double variance = 0, freedom = 0;
};

Spread welch(std::span<const double> before, std::span<const double> after) {
  const double a = variance_of_mean(before), b = variance_of_mean(after), variance = a + b;
  const double parts = a * a / static_cast<double>(before.size() - 1) + b * b / static_cast<double>(after.size() - 1);
  return {variance, parts > 0 ? variance * variance / parts : static_cast<double>(before.size() + after.size() - 2)};
}

Spread pooled(std::span<const double> before, std::span<const double> after, const SharedVariance& shared) {
  const double means = 1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size());
  return {shared.variance(before, after) * means, shared.freedom()};
}

}  // namespace

Difference difference_of_shares(double hits_before, double samples_before, double hits_after, double samples_after) {
  Difference difference;
  const auto share = [](double hits, double samples) { return samples > 0 ? hits / samples : 0; };
  difference.value = share(hits_after, samples_after) - share(hits_before, samples_before);
  if (samples_before <= 0 || samples_after <= 0) return difference.low = -1, difference.high = 1, difference;
  const auto added = [](double hits, double samples) { return (hits + 1) / (samples + 2); };
  const double p = added(hits_before, samples_before), q = added(hits_after, samples_after);
  const double margin = kTwentieth * std::sqrt(p * (1 - p) / (samples_before + 2) + q * (1 - q) / (samples_after + 2));
  difference.low = std::max(std::min(q - p - margin, difference.value), -1.0);
  difference.high = std::min(std::max(q - p + margin, difference.value), 1.0);
  difference.known =
      hits_before + hits_after >= kFewestHits && std::min(samples_before, samples_after) >= kFewestSamples;
  const double pooled = (hits_before + hits_after) / (samples_before + samples_after);
  const double deviation = std::sqrt(pooled * (1 - pooled) * (1 / samples_before + 1 / samples_after));
  difference.probability = deviation > 0 ? probability_of_z(difference.value / deviation) : 1;
  return difference;
}

double probability_of_t(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double t_of_a_twentieth(double freedom) {
  double low = 0, high = 1e4;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (probability_of_t(middle, freedom) > 0.05 ? low : high) = middle;
  }
  return high;
}

Difference difference_of_runs(std::span<const double> before, std::span<const double> after, double least_variance,
                              const SharedVariance* shared) {
  Difference difference;
  if (before.empty() || after.empty()) return difference;
  difference.value = difference.low = difference.high = mean_of(after) - mean_of(before);
  if (before.size() < 2 || after.size() < 2) return difference;
  difference.known = true;
  const auto [of_runs, freedom] =
      shared == nullptr || shared->freedom() == 0 ? welch(before, after) : pooled(before, after, *shared);
  const double variance = std::max(of_runs, least_variance);
  if (variance <= 0) return difference.probability = difference.value == 0 ? 1 : 0, difference;
  const double deviation = std::sqrt(variance), margin = t_of_a_twentieth(freedom) * deviation;
  difference.low = std::max(difference.low - margin, -1.0);
  difference.high = std::min(difference.high + margin, 1.0);
  difference.probability = probability_of_t(difference.value / deviation, freedom);
  return difference;
}

std::vector<double> adjusted(const std::vector<double>& probabilities) {
  const size_t count = probabilities.size();
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return probabilities[a] > probabilities[b]; });
  std::vector<double> all(count);
  double least = 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t rank = count - i;  // of the greatest, count
    least = std::min(least, probabilities[order[i]] * static_cast<double>(count) / static_cast<double>(rank));
    all[order[i]] = least;
  }
  return all;
}

}  // namespace jrec
