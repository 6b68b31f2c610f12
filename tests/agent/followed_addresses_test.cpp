// SPDX-License-Identifier: Apache-2.0
// The addresses whose end is to be told.
#include "agent/nativemem/followed_addresses.h"

#include <doctest/doctest.h>

#include <memory>
#include <thread>
#include <vector>

using namespace rec::agent;

namespace {

constexpr uint64_t kFollowedHeap = 0x7f12'3400'0000;

}  // namespace

TEST_CASE("an address is followed from its adding to its removal, once") {
  const auto followed = std::make_unique<FollowedAddresses>();
  CHECK_FALSE(followed->may_have(kFollowedHeap));
  CHECK_FALSE(followed->remove(kFollowedHeap));
  CHECK(followed->add(kFollowedHeap));
  CHECK(followed->may_have(kFollowedHeap));
  CHECK_FALSE(followed->remove(kFollowedHeap + 16));
  CHECK(followed->add(kFollowedHeap));  // its free was not seen
  CHECK(followed->size() == 1);
  CHECK(followed->remove(kFollowedHeap));
  CHECK_FALSE(followed->remove(kFollowedHeap));
  CHECK_FALSE(followed->may_have(kFollowedHeap));
}

TEST_CASE("tens of thousands find a place, whatever lies between them, and all leave again") {
  for (const uint64_t step : {uint64_t{16}, uint64_t{48}, uint64_t{4096}, uint64_t{1} << 20}) {
    const auto followed = std::make_unique<FollowedAddresses>();
    constexpr uint32_t kMany = 32'000;
    std::vector<uint64_t> taken;
    for (uint32_t i = 0; i < kMany; ++i)
      if (followed->add(kFollowedHeap + i * step)) taken.push_back(kFollowedHeap + i * step);
    CHECK_MESSAGE(taken.size() >= kMany - kMany / 500, step);
    CHECK(followed->size() == taken.size());
    for (const uint64_t each : taken) CHECK(followed->remove(each));
    CHECK(followed->size() == 0);
  }
}

TEST_CASE("a full bucket refuses, and takes again when one has gone") {
  const auto followed = std::make_unique<FollowedAddresses>();
  std::vector<uint64_t> taken;
  uint64_t refused = 0;
  for (uint64_t address = kFollowedHeap; refused == 0; address += 16)
    if (followed->add(address))
      taken.push_back(address);
    else
      refused = address;
  CHECK_FALSE(followed->remove(refused));
  for (const uint64_t each : taken) CHECK(followed->remove(each));
  CHECK(followed->add(refused));
  followed->clear();
  CHECK(followed->size() == 0);
  CHECK_FALSE(followed->may_have(refused));
}

TEST_CASE("race: threads add and remove addresses of their own, and each finds what it has added") {
  const auto followed = std::make_unique<FollowedAddresses>();
  std::vector<std::thread> threads;
  std::atomic<uint32_t> missing{0};
  for (uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 20'000; ++i) {
        const uint64_t address = kFollowedHeap + (i % 512 * 4 + thread) * 16;
        if (!followed->add(address)) continue;
        if (!followed->may_have(address) || !followed->remove(address)) ++missing;
      }
    });
  for (std::thread& each : threads) each.join();
  CHECK(missing == 0);
  CHECK(followed->size() == 0);
}
