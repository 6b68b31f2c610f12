// SPDX-License-Identifier: Apache-2.0
#include "agent/exceptions/exception_rate.h"

#include <algorithm>

#include "agent/sampling/chance.h"

namespace rec::agent {
namespace {

constexpr int64_t kWindowsASecond = 1'000'000'000 / ExceptionRate::kWindowNs;

}  // namespace

void ExceptionRate::set(int64_t per_second, uint64_t seed) {
  per_second_.store(per_second, std::memory_order_relaxed);
  seed_.store(seed, std::memory_order_relaxed);
  const int64_t budget = per_second == 0 ? 0 : std::max<int64_t>(per_second / kWindowsASecond, 1);
  budget_.store(static_cast<uint32_t>(std::min<int64_t>(budget, UINT32_MAX)), std::memory_order_relaxed);
  halvings_.store(0, std::memory_order_relaxed);
  written_.store(0, std::memory_order_relaxed);
}

// Which of a run it is follows from the run and its length alone: when the chance changes within a run, what has been
// written of it says nothing of what comes.
uint64_t ExceptionRate::weight() {
  const uint32_t halvings = halvings_.load(std::memory_order_relaxed);
  const uint64_t number = thrown_.fetch_add(1, std::memory_order_relaxed), mask = (uint64_t{1} << halvings) - 1;
  uint64_t state = seed_.load(std::memory_order_relaxed) + (number >> halvings) * (kMostHalvings + 1) + halvings;
  if ((next_random(state) & mask) != (number & mask)) return 0;
  const uint32_t budget = budget_.load(std::memory_order_relaxed);
  const uint32_t written = written_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (budget != 0 && written % budget == 0 && halvings < kMostHalvings)
    halvings_.fetch_add(1, std::memory_order_relaxed);
  return mask + 1;
}

void ExceptionRate::turn() {
  const uint32_t written = written_.exchange(0, std::memory_order_relaxed);
  const uint32_t halvings = halvings_.load(std::memory_order_relaxed);
  if (halvings == 0 || written >= (budget_.load(std::memory_order_relaxed) + 1) / 2) return;
  const uint32_t fewer = written == 0 ? (halvings + 1) / 2 : 1;
  halvings_.fetch_sub(fewer, std::memory_order_relaxed);
}

}  // namespace rec::agent
