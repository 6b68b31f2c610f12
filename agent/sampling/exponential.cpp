// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/exponential.h"

#include <bit>

namespace rec::agent {
namespace {

constexpr double kLn2 = 0.693147180559945309417;
constexpr int kLnTerms = 17;  // of the series, of odd powers up to this

// ln m = 2 artanh((m - 1) / (m + 1)), for 1 <= m < 2: the argument is below 1/3.
double ln_mantissa(double m) {
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int power = 2 * kLnTerms + 1; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
  return 2 * z * sum;
}

}  // namespace

// -ln u, where u = random / 2^64, and never 0.
double exponential(uint64_t random) {
  if (random == 0) random = 1;
  const int width = std::bit_width(random);
  const auto mantissa = static_cast<double>(random << (64 - width) >> 11) * 0x1p-52;
  return static_cast<double>(65 - width) * kLn2 - ln_mantissa(mantissa);
}

}  // namespace rec::agent
