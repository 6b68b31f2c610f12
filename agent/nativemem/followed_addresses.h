// SPDX-License-Identifier: Apache-2.0
// FollowedAddresses are the addresses of sampled allocations that are not free yet. Each free() of the process asks for its
// own, so a look costs a byte of a table that stays in the processor's cache; where that is not 0, the line of one bucket.
//
//   counts    a byte a bucket: how many of its places are taken     16 KiB
//   buckets   8 places each, one line of the cache                  1 MiB of address space; only what is used takes memory
//
// A bucket that is full takes no more: with 32,000 addresses one of 5,000 finds no place, with 65,000 one of 200.
//
// Any thread, at any time; no lock. An address belongs to one thread between its malloc and its free: only that one adds
// or removes it, and the program hands it on in order. So nothing here needs an order of its own. Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rec::agent {

class FollowedAddresses {
 public:
  static constexpr uint32_t kBuckets = 1 << 14;
  static constexpr uint32_t kPlaces = 8;

  // True, too, if it is there: then its free went a way that we do not see. False: the bucket is full.
  bool add(uint64_t address);
  bool may_have(uint64_t address) const { return counts_[bucket_of(address)].load(std::memory_order_relaxed) != 0; }
  bool remove(uint64_t address);  // whether it was there
  void clear();
  uint32_t size() const;

 private:
  struct alignas(64) Bucket {
    std::array<std::atomic<uint64_t>, kPlaces> places;  // 0: free
  };
  // Addresses lie at regular distances, as blocks of one size do: all of their bits have to count (MurmurHash3's last step).
  static uint32_t bucket_of(uint64_t address) {
    static_assert(kBuckets == 1 << (64 - 50));
    uint64_t mixed = address >> 4;
    mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCDu;
    mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53u;
    return static_cast<uint32_t>(mixed >> 50);
  }

  std::array<std::atomic<uint8_t>, kBuckets> counts_{};
  std::array<Bucket, kBuckets> buckets_{};
};

}  // namespace rec::agent
