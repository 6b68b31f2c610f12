// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/byte_countdown.h"

#include "agent/sampling/exponential.h"

namespace rec::agent {
namespace {

constexpr int64_t kLongRest = int64_t{1} << 62;

int64_t draw(int64_t interval, uint64_t random) {
  return static_cast<int64_t>(exponential(random) * static_cast<double>(interval));
}

}  // namespace

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
