// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/scratch_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

using namespace rec::agent;

namespace {

std::vector<ScratchPool::Scratch> take_all_of(ScratchPool& pool) {
  std::vector<ScratchPool::Scratch> taken;
  while (const ScratchPool::Scratch scratch = pool.try_take()) taken.push_back(scratch);
  return taken;
}

void give_back(ScratchPool& pool, const std::vector<ScratchPool::Scratch>& taken) {
  for (const ScratchPool::Scratch& scratch : taken) pool.give_back(scratch);
}

size_t room_in(ScratchPool& pool) {
  const std::vector<ScratchPool::Scratch> taken = take_all_of(pool);
  give_back(pool, taken);
  return taken.size();
}

}  // namespace

TEST_CASE("a pool of walk buffers has none before it has a depth, and a row of them then") {
  ScratchPool pool;
  CHECK_FALSE(pool.try_take());
  pool.provide(1000);
  CHECK(room_in(pool) == 0);
  REQUIRE(pool.resize(64));
  CHECK(room_in(pool) == ScratchPool::kInRow);
}

TEST_CASE("a pool of walk buffers grows with the threads, and lends no byte to two walks") {
  ScratchPool pool;
  REQUIRE(pool.resize(16));
  pool.provide(65);
  CHECK(room_in(pool) == 2 * ScratchPool::kInRow);
  pool.provide(3);
  CHECK(room_in(pool) == 2 * ScratchPool::kInRow);
  pool.provide(1'000'000);
  const std::vector<ScratchPool::Scratch> taken = take_all_of(pool);
  CHECK(taken.size() == ScratchPool::kMost);
  std::set<const void*> places;
  for (const ScratchPool::Scratch& scratch : taken) {
    CHECK(scratch.raw.size() == 16);
    scratch.raw.back().method = static_cast<uint64_t>(scratch.index);
    scratch.frames[15].bci = static_cast<uint16_t>(scratch.index);
    places.insert(scratch.raw.data());
  }
  CHECK(places.size() == taken.size());
  for (const ScratchPool::Scratch& scratch : taken)
    CHECK(scratch.raw.back().method == static_cast<uint64_t>(scratch.index));
  give_back(pool, taken);
}

TEST_CASE("a pool of walk buffers gets another depth in all its rows") {
  ScratchPool pool;
  REQUIRE(pool.resize(16));
  pool.provide(500);
  REQUIRE(pool.resize(100));
  pool.provide(500);
  const std::vector<ScratchPool::Scratch> taken = take_all_of(pool);
  CHECK(taken.size() == 512);
  for (const ScratchPool::Scratch& scratch : taken) CHECK(scratch.raw.size() == 100);
  give_back(pool, taken);
}

TEST_CASE("a pool of walk buffers stays as it is while a walk does not end") {
  ScratchPool pool;
  REQUIRE(pool.resize(16));
  pool.provide(200);
  const ScratchPool::Scratch held = pool.try_take();
  CHECK_FALSE(pool.resize(32));
  const std::vector<ScratchPool::Scratch> others = take_all_of(pool);
  CHECK(others.size() == 255);
  CHECK(others[0].raw.size() == 16);
  give_back(pool, others);
  pool.give_back(held);
  CHECK(pool.resize(32));
}

TEST_CASE("race: walks take and give back buffers while the pool grows and gets other depths") {
  ScratchPool pool;
  REQUIRE(pool.resize(8));
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> walks{0}, spoilt{0};
  std::vector<std::thread> walkers;
  for (uint64_t id = 1; id <= 4; ++id)
    walkers.emplace_back([&, id] {
      while (!stop.load(std::memory_order_relaxed)) {
        const ScratchPool::Scratch scratch = pool.try_take();
        if (!scratch) continue;
        for (RawFrame& frame : scratch.raw) frame.method = id;
        for (const RawFrame& frame : scratch.raw) spoilt += frame.method != id;
        pool.give_back(scratch);
        ++walks;
      }
    });
  for (uint32_t i = 0; i < 200; ++i) {
    pool.provide(64 * (i % 8));
    CHECK(pool.resize(8 + i % 2 * 8));
  }
  while (walks.load() < 1000) std::this_thread::yield();
  stop = true;
  for (std::thread& walker : walkers) walker.join();
  CHECK(spoilt.load() == 0);
}
