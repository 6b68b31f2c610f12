// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/quantiles.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace jrec {

namespace {
constexpr int kDroppedBits = 52 - 8;  // of a double's fraction: 256 steps are left
}

// The bits of doubles of one sign are in the order of their values.
int64_t Quantiles::step_of(double value) {
  const int64_t size = std::bit_cast<int64_t>(std::fabs(value)) >> kDroppedBits;
  return std::signbit(value) ? -size : size;
}

double Quantiles::value_of(int64_t step) {
  const double size = std::bit_cast<double>((step < 0 ? -step : step) << kDroppedBits);
  return step < 0 ? -size : size;
}

void Quantiles::spread() {
  for (const WideReal value : values_) ++steps_[step_of(static_cast<double>(value))];
  values_ = {};
}

void Quantiles::add(WideReal value) {
  if (std::isnan(value)) return;
  ++count_;
  if (steps_.empty()) {
    values_.push_back(value);
    if (values_.size() > kExact) spread();
    return;
  }
  ++steps_[step_of(static_cast<double>(value))];
}

// The value in that place of the order, counted from 1.
WideReal Quantiles::in_place(uint64_t place) {
  assert(place >= 1 && place <= count_ && "places count from 1, and there are as many as values");
  if (steps_.empty()) {
    const auto nth = values_.begin() + static_cast<ptrdiff_t>(place - 1);
    std::nth_element(values_.begin(), nth, values_.end());
    return *nth;
  }
  uint64_t seen = 0;
  for (const auto& [step, count] : steps_)
    if ((seen += count) >= place) return value_of(step);
  return value_of(steps_.rbegin()->first);
}

namespace {

// As the JDK's views have it, to the last digit: in doubles, where these have room for both.
WideReal between(WideReal low, WideReal high, double share) {
  constexpr WideReal kWholeInDoubles = 1ull << 53;
  if (std::fabs(low) > kWholeInDoubles || std::fabs(high) > kWholeInDoubles) return low + share * (high - low);
  const auto from = static_cast<double>(low);
  return from + share * (static_cast<double>(high) - from);
}

}  // namespace

WideReal Quantiles::at(double share) {
  if (count_ == 0) return 0;
  const auto most = static_cast<double>(count_);
  const double place = std::clamp(share * (most + 1), 1.0, most);
  const auto whole = static_cast<uint64_t>(place);
  const double rest = place - static_cast<double>(whole);
  const WideReal value = in_place(whole);
  return rest == 0 ? value : between(value, in_place(whole + 1), rest);
}

}  // namespace jrec
