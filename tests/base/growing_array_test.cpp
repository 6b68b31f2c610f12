// SPDX-License-Identifier: Apache-2.0
#include "base/growing_array.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "base/mapped_vector.h"

using base::GrowingArray;
using base::LargeVector;
using base::MappedVector;

namespace {

struct Pair {
  uint64_t first = 0;
  uint32_t second = 0;
};

constexpr uint32_t kMany = 600'000;  // beyond what malloc() has, several times over

}  // namespace

TEST_CASE("an array that grows to several large mappings keeps all values, and what it has when it is moved") {
  GrowingArray<Pair> array;
  CHECK(array.size() == 0);
  CHECK(array.begin() == array.end());
  for (uint32_t i = 0; i < kMany; ++i) array.push_back({uint64_t{i} << 20, i});
  REQUIRE(array.size() == kMany);
  GrowingArray<Pair> moved = std::move(array);
  bool same = true;
  for (uint32_t i = 0; i < kMany; ++i) same = same && moved[i].first == uint64_t{i} << 20 && moved[i].second == i;
  CHECK(same);
  moved[7].second = 8;
  CHECK(moved.begin()[7].second == 8);
  CHECK(static_cast<size_t>(moved.end() - moved.begin()) == kMany);
  moved = GrowingArray<Pair>();
  CHECK(moved.size() == 0);
}

TEST_CASE("an array that is copied has values of its own, and a shorter one grows on") {
  for (const uint32_t many : {uint32_t{0}, uint32_t{3}, kMany}) {
    GrowingArray<uint32_t> array;
    for (uint32_t i = 0; i < many; ++i) array.push_back(i);
    GrowingArray<uint32_t> copy = array;
    array.shorten(many / 2);
    array.push_back(7);
    CHECK(array.size() == many / 2 + 1);
    CHECK(array[many / 2] == 7);
    REQUIRE(copy.size() == many);
    CHECK(copy.empty() == (many == 0));
    copy.push_back(many);
    bool same = true;
    for (uint32_t i = 0; i <= many; ++i) same = same && copy[i] == i;
    CHECK(same);
  }
}

TEST_CASE("an array may be given one of its own values while it grows") {
  GrowingArray<uint64_t> array;
  array.push_back(42);
  for (int i = 0; i < 100; ++i) array.push_back(array[0]);
  CHECK(array[100] == 42);
}

TEST_CASE("memory keeps its bytes from small to large, from large to larger and back") {
  constexpr size_t kSmall = 1000, kLarge = size_t{9} << 20, kLarger = size_t{40} << 20;
  void* memory = base::resize_memory(nullptr, 0, kSmall);
  std::memset(memory, 7, kSmall);
  size_t size = kSmall;
  for (const size_t next : {kLarge, kLarger, kLarge, kSmall}) {
    memory = base::resize_memory(memory, std::exchange(size, next), next);
    const auto* const bytes = static_cast<const uint8_t*>(memory);
    CHECK(bytes[0] == 7);
    CHECK(bytes[kSmall - 1] == 7);
    static_cast<uint8_t*>(memory)[next - 1] = 7;
  }
  CHECK(base::resize_memory(memory, size, 0) == nullptr);
}

TEST_CASE("a large vector is a vector: it grows, shrinks and is copied") {
  LargeVector<uint64_t> vector;
  for (uint64_t i = 0; i < kMany * 2; ++i) vector.push_back(i);
  const LargeVector<uint64_t> copy = vector;
  vector.resize(10);
  vector.shrink_to_fit();
  CHECK(vector.back() == 9);
  CHECK(copy[kMany] == kMany);
  CHECK(copy.size() == kMany * 2);
}

// Where no mapping is to be had: tests/jvm/faults.sh, no_memory.
TEST_CASE("a vector with a mapping of its own is a vector, small and large") {
  MappedVector<uint32_t> vector;
  bool same = true;
  for (uint32_t i = 0; i < kMany; ++i) vector.push_back(i);
  for (uint32_t i = 0; i < kMany; ++i) same = same && vector[i] == i;
  CHECK(same);
  vector.resize(10);
  vector.shrink_to_fit();
  CHECK(vector.back() == 9);
}
