// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_vector.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

using base::MappedVector;

namespace {

bool holds_what_is_put() {
  MappedVector<uint32_t> numbers;
  for (uint32_t i = 0; i < 50'000; ++i) numbers.push_back(i);
  const bool whole = numbers.size() == 50'000 &&
                     std::accumulate(numbers.begin(), numbers.end(), uint64_t{0}) == uint64_t{50'000} * 49'999 / 2;
  numbers.shrink_to_fit();
  return whole && numbers.back() == 49'999;
}

}  // namespace

// Where no mapping is to be had: tests/jvm/faults.sh, no_memory.
TEST_CASE("a mapped vector holds what is put into it, small and large") { CHECK(holds_what_is_put()); }
