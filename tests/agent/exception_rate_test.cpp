// SPDX-License-Identifier: Apache-2.0
#include "agent/exceptions/exception_rate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace {

using rec::agent::ExceptionRate;

struct Told {
  uint64_t written = 0, weight = 0;
};

Told throw_some(ExceptionRate& rate, uint64_t count) {
  Told told;
  for (uint64_t i = 0; i < count; ++i)
    if (const uint64_t weight = rate.weight()) ++told.written, told.weight += weight;
  return told;
}

double off(uint64_t told, uint64_t truth) {
  return std::abs(static_cast<double>(told) / static_cast<double>(truth) - 1);
}

}  // namespace

TEST_CASE("few exceptions are written one by one, and all of them without a limit") {
  ExceptionRate rate;
  rate.set(100, 1);
  for (int window = 0; window < 40; ++window) {
    const Told told = throw_some(rate, 20);
    CHECK(told.written == 20);
    CHECK(told.weight == 20);
    rate.turn();
  }
  rate.set(0, 1);
  CHECK(throw_some(rate, 100'000).written == 100'000);
}

TEST_CASE("a burst within one window is cut short, and its weights tell of all of it") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    ExceptionRate rate;
    rate.set(100, seed);
    const Told told = throw_some(rate, 1'000'000);
    CHECK(told.written < 500);
    CHECK(off(told.weight, 1'000'000) < 0.1);
    CHECK(rate.thrown() == 1'000'000);
  }
}

TEST_CASE("a steady stream is written at about the rate that was asked for") {
  ExceptionRate rate;
  rate.set(100, 3);
  for (int window = 0; window < 40; ++window) throw_some(rate, 5'000), rate.turn();
  Told all;
  for (int window = 0; window < 400; ++window) {
    const Told told = throw_some(rate, 5'000);
    all.written += told.written;
    all.weight += told.weight;
    rate.turn();
  }
  CHECK(all.written > 100 * 50);
  CHECK(all.written < 100 * 125);
  CHECK(off(all.weight, 400 * 5'000) < 0.01);
}

TEST_CASE("after a burst exceptions are soon written one by one again") {
  ExceptionRate rate;
  rate.set(100, 4);
  throw_some(rate, 1'000'000);
  int windows = 0;
  while (throw_some(rate, 10).written < 10 && windows < 100) rate.turn(), ++windows;
  CHECK(windows < 16);
}

TEST_CASE("what is thrown in turns is told of by its share, also where a turn is as long as a run") {
  for (const uint64_t period : {2u, 64u, 1024u}) {
    uint64_t weight = 0;
    constexpr uint64_t kEach = 1 << 17;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      ExceptionRate rate;
      rate.set(400, seed * 77);
      for (uint64_t i = 0; i < kEach; ++i) {
        const uint64_t each = rate.weight();
        if (i % period < period / 2) weight += each;
      }
    }
    CAPTURE(period);
    CHECK(off(weight, 60 * kEach / 2) < 0.05);
  }
}

TEST_CASE("race: threads that throw at a time are counted, and told of, all") {
  ExceptionRate rate;
  rate.set(1000, 5);
  std::vector<std::thread> threads;
  std::vector<Told> told(4);
  for (Told& own : told) threads.emplace_back([&rate, &own] { own = throw_some(rate, 200'000); });
  for (std::thread& thread : threads) thread.join();
  uint64_t weight = 0;
  for (const Told& own : told) weight += own.weight;
  CHECK(rate.thrown() == 800'000);
  CHECK(off(weight, 800'000) < 0.15);
}
