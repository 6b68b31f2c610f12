// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "agent/hotspot/vm/code_memo.h"

using rec::agent::CodeMemo;

TEST_CASE("an answer is remembered for its pc and its compilation, and for no other") {
  const auto cache = std::make_unique<CodeMemo>();
  CHECK_FALSE(cache->find(0x7f0000001000, 5).hit);
  cache->remember(0x7f0000001000, 5, 1234, true);
  const CodeMemo::Answer answer = cache->find(0x7f0000001000, 5);
  CHECK((answer.hit && answer.flag && answer.value == 1234));
  CHECK_FALSE(cache->find(0x7f0000001000, 6).hit);  // new code at the old address
  CHECK_FALSE(cache->find(0x7f0000001001, 5).hit);
}

TEST_CASE("an answer too large for an entry is not remembered") {
  const auto cache = std::make_unique<CodeMemo>();
  cache->remember(4096, 1, 1u << 31, false);
  CHECK_FALSE(cache->find(4096, 1).hit);
}

TEST_CASE("a distance is remembered either way") {
  const auto cache = std::make_unique<CodeMemo>();
  for (const int64_t distance : {int64_t{0}, int64_t{1234}, int64_t{-1}, int64_t{-98'765}}) {
    cache->remember(4096, 1, CodeMemo::of_distance(distance), false);
    const CodeMemo::Answer answer = cache->find(4096, 1);
    CHECK((answer.hit && CodeMemo::distance_of(answer.value) == distance));
  }
  cache->remember(8192, 1, CodeMemo::of_distance(int64_t{1} << 32), false);
  CHECK_FALSE(cache->find(8192, 1).hit);
}

TEST_CASE("race: readers of a slot that several threads rewrite never see another pc's answer") {
  const auto cache = std::make_unique<CodeMemo>();
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> hits{0}, wrong{0};
  const auto work = [&](uint64_t seed) {
    for (uint64_t i = seed; !stop.load(std::memory_order_relaxed); ++i) {
      const uint64_t pc = 0x10000 + i % 50'000;
      const auto id = static_cast<uint32_t>(pc % 7);
      const CodeMemo::Answer answer = cache->find(pc, id);
      if (answer.hit) hits.fetch_add(1, std::memory_order_relaxed);
      if (answer.hit && answer.value != static_cast<uint32_t>(pc * 3)) wrong.fetch_add(1, std::memory_order_relaxed);
      if (!answer.hit) cache->remember(pc, id, static_cast<uint32_t>(pc * 3), false);
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) threads.emplace_back(work, t * 12'500);
  while (hits.load(std::memory_order_relaxed) < 100'000) std::this_thread::yield();
  stop.store(true, std::memory_order_relaxed);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong.load() == 0);
}
