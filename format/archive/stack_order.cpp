// SPDX-License-Identifier: Apache-2.0
#include "format/archive/stack_order.h"

#include <algorithm>

namespace jfr::archive {
namespace {

constexpr uint64_t kBuckets = 2053;

uint64_t bucket_of(const PooledStack& stack, StackOrder order) {
  return (order == StackOrder::kBuckets32 ? static_cast<uint32_t>(stack.hash) : stack.hash) % kBuckets;
}

}  // namespace

void put_in_order(std::vector<PooledStack>& stacks, StackOrder order) {
  if (order == StackOrder::kAsTold) return;
  struct Place {
    uint64_t bucket;
    PooledStack stack;
  };
  std::vector<Place> places;
  places.reserve(stacks.size());
  for (const PooledStack& stack : stacks) places.push_back({bucket_of(stack, order), stack});
  std::ranges::stable_sort(places, [](const Place& one, const Place& other) {
    return one.bucket != other.bucket ? one.bucket < other.bucket : one.stack.key > other.stack.key;
  });
  std::ranges::transform(places, stacks.begin(), &Place::stack);
}

StackOrder order_of(std::span<const PooledStack> stacks) {
  if (std::ranges::is_sorted(stacks, {}, &PooledStack::key)) return StackOrder::kAsTold;
  std::vector<PooledStack> by_key(stacks.begin(), stacks.end());
  std::ranges::stable_sort(by_key, {}, &PooledStack::key);
  for (const StackOrder order : {StackOrder::kBuckets32, StackOrder::kBuckets64}) {
    std::vector<PooledStack> ordered = by_key;
    put_in_order(ordered, order);
    if (std::ranges::equal(ordered, stacks, {}, &PooledStack::at, &PooledStack::at)) return order;
  }
  return StackOrder::kAsTold;
}

}  // namespace jfr::archive
