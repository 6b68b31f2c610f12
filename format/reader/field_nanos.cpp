// SPDX-License-Identifier: Apache-2.0
#include "format/reader/field_nanos.h"

namespace jfr::read {
namespace {

constexpr int64_t kNanosInSecond = 1'000'000'000;

int64_t units_in_second(Meaning meaning) {
  switch (meaning) {
    case Meaning::kTimestampMillis:
    case Meaning::kTimespanMillis: return 1'000;
    case Meaning::kTimespanMicros: return 1'000'000;
    case Meaning::kTimespanSeconds: return 1;
    default: return kNanosInSecond;
  }
}

}  // namespace

Instant instant_of(const Clock& clock, int64_t value, Meaning meaning) {
  if (meaning == Meaning::kTimestampTicks) value = clock.unix_ns(value);
  if (meaning == Meaning::kTimespanTicks) value = clock.span_ns(value);
  const int64_t units = units_in_second(meaning);
  const int64_t seconds = value / units - (value % units < 0 ? 1 : 0);  // downwards
  const int64_t rest = value % units + (value % units < 0 ? units : 0);
  return {seconds, static_cast<int32_t>(rest * (kNanosInSecond / units))};
}

int64_t nanos_of(const Clock& clock, int64_t value, Meaning meaning) {
  if (value == kNever || value == kForever) return value;
  const Instant at = instant_of(clock, value, meaning);
  int64_t whole = 0, sum = 0;
  if (__builtin_mul_overflow(at.seconds, kNanosInSecond, &whole) || __builtin_add_overflow(whole, at.nanos, &sum))
    return at.seconds < 0 ? kNever : kForever;
  return sum;
}

}  // namespace jfr::read
