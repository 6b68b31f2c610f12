// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/followed_addresses.h"

namespace rec::agent {

bool FollowedAddresses::add(uint64_t address) {
  const uint32_t index = bucket_of(address);
  auto& places = buckets_[index].places;
  for (const auto& place : places)
    if (place.load(std::memory_order_relaxed) == address) return true;
  for (auto& place : places) {
    uint64_t nobody = 0;
    if (place.load(std::memory_order_relaxed) != 0) continue;
    if (!place.compare_exchange_strong(nobody, address, std::memory_order_relaxed)) continue;
    counts_[index].fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

bool FollowedAddresses::remove(uint64_t address) {
  const uint32_t index = bucket_of(address);
  for (auto& place : buckets_[index].places) {
    uint64_t expected = address;
    if (place.load(std::memory_order_relaxed) != address) continue;
    if (!place.compare_exchange_strong(expected, 0, std::memory_order_relaxed)) return false;  // freed twice
    counts_[index].fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void FollowedAddresses::clear() {
  for (uint32_t index = 0; index < kBuckets; ++index) {
    if (counts_[index].load(std::memory_order_relaxed) == 0) continue;
    for (auto& place : buckets_[index].places)
      if (place.exchange(0, std::memory_order_relaxed) != 0) counts_[index].fetch_sub(1, std::memory_order_relaxed);
  }
}

uint32_t FollowedAddresses::size() const {
  uint32_t all = 0;
  for (const auto& count : counts_) all += count.load(std::memory_order_relaxed);
  return all;
}

}  // namespace rec::agent
