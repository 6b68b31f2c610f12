// SPDX-License-Identifier: Apache-2.0
// ExceptionRate decides by chance which exceptions are written, so that about as many a second are as was asked for, and
// each says how many it stands for. A program throws ten a second, and then a hundred thousand in one:
//
//   written   |||| ||| || | |  |  |   |    |          each `budget` that were written in one window halve the chance at once;
//   chance    1    1/2  1/4   1/8     1/16            a window with few doubles it, one with none does more
//
// Of each 2^k that follow each other one is written, which one of them is left to chance, and it counts 2^k. So the sum of
// weights is what was thrown, of any class and site on the average, and of all together nearly. (Each 2^k-th would be as
// even, but a program that throws in turns would show one side.) No JVM; any thread; no clock is read.
#pragma once

#include <atomic>
#include <cstdint>

namespace rec::agent {

class ExceptionRate {
 public:
  static constexpr int64_t kWindowNs = 250'000'000;

  // 0: each is written. Before the first, or while it runs.
  void set(int64_t per_second, uint64_t seed);
  int64_t per_second() const { return per_second_.load(std::memory_order_relaxed); }

  // Of one that was thrown: how many it stands for; 0: it is not written.
  uint64_t weight();
  uint64_t thrown() const { return thrown_.load(std::memory_order_relaxed); }  // all that were asked for
  // A window is over. One thread.
  void turn();

 private:
  static constexpr uint32_t kMostHalvings = 40;

  std::atomic<int64_t> per_second_{0};
  std::atomic<uint64_t> seed_{0};
  std::atomic<uint32_t> budget_{0};    // of a window; 0: without limit
  std::atomic<uint32_t> halvings_{0};  // k
  std::atomic<uint32_t> written_{0};   // in this window
  alignas(64) std::atomic<uint64_t> thrown_{0};
};

}  // namespace rec::agent
