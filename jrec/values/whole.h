// SPDX-License-Identifier: Apache-2.0
// Whole is a number without a fraction as events have it: a long, an unsigned long, and what any number of them adds up
// to. It is written digit by digit and never goes through a double, which is exact up to 2^53 only.
#pragma once

#include <cstdint>

namespace jrec {

__extension__ typedef __int128 Whole;

// For what cannot be beyond a long: the nearest one.
constexpr int64_t held_in_long(Whole value) {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : static_cast<int64_t>(value);
}

// A real number that still has all the digits of a long or an unsigned long.
using WideReal = long double;
static_assert(sizeof(WideReal) > sizeof(double), "a double has 53 bits of the 64");

}  // namespace jrec
