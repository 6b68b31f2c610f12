// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/byte_countdown.h"

#include <bit>

namespace rec::agent {
namespace {

constexpr double kLn2 = 0.693147180559945309417;
constexpr int kLnTerms = 17;  // of the series, of odd powers up to this
constexpr int64_t kLongRest = int64_t{1} << 62;

// ln m = 2 artanh((m - 1) / (m + 1)), for 1 <= m < 2: the argument is below 1/3.
double ln_mantissa(double m) {
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int power = 2 * kLnTerms + 1; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
  return 2 * z * sum;
}

int64_t draw(int64_t interval, uint64_t random) {
  return static_cast<int64_t>(exponential(random) * static_cast<double>(interval));
}

}  // namespace

// -ln u, where u = random / 2^64, and never 0.
double exponential(uint64_t random) {
  if (random == 0) random = 1;
  const int width = std::bit_width(random);
  const auto mantissa = static_cast<double>(random << (64 - width) >> 11) * 0x1p-52;
  return static_cast<double>(65 - width) * kLn2 - ln_mantissa(mantissa);
}

bool ByteCountdown::comes_due(size_t size, int64_t interval, uint32_t interval_number, uint64_t random,
                              uint64_t other_random) {
  if (interval <= 0) return number_ = interval_number, left_ = -1, true;
  if (number_ != interval_number) {
    number_ = interval_number;
    left_ = draw(interval, other_random) - static_cast<int64_t>(size);
    if (left_ >= 0) return false;
  }
  left_ = draw(interval, random);
  return true;
}

void ByteCountdown::rest(uint32_t interval_number) {
  number_ = interval_number;
  left_ = kLongRest;
}

}  // namespace rec::agent
