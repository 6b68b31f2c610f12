// SPDX-License-Identifier: Apache-2.0
// WalkBudget sees to it that a thread has time of its own. Where the clock's interval is short, samples that take much of it
// leave the thread next to nothing; one that takes all of it leaves not an instruction: the next tick is there when the
// handler returns, and the thread stands still for as long as each sample is as dear. So behind long ones in a row a thread's
// stacks are without native frames for a while, which are most of the time; and where they are long without these, it has
// samples without a stack.
//
//   |long long long| 64 ticks without native frames: |long long long| 64 ticks without a stack ...
//
// Lengths are CPU time: who has lost his processor takes none. Of a thread's own handler; signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

class WalkBudget {
 public:
  static constexpr uint32_t kLongInARow = 3;
  static constexpr uint32_t kTicksWithout = 64;
  static constexpr int64_t kLongWithNative = 4, kLong = 2;  // of the interval: a fourth, where it is fine, and a half
  static constexpr int64_t kFineIntervalNs = 1'000'000;
  static constexpr int64_t kSafeIntervalNs = 10'000'000;  // no sample is as long

  enum class Allows : uint8_t { kAll, kNoNativeFrames, kNoWalk };

  // At a tick: what its sample may look at.
  Allows next() {
    if (without_walk_ > 0) return --without_walk_, Allows::kNoWalk;
    if (without_native_ > 0) return --without_native_, Allows::kNoNativeFrames;
    return Allows::kAll;
  }

  // showed_native: native frames were looked for.
  static bool is_long(int64_t ns, int64_t interval_ns, bool showed_native) {
    return ns > interval_ns / (showed_native && interval_ns < kFineIntervalNs ? kLongWithNative : kLong);
  }
  // Behind it, but for kNoWalk.
  void took(int64_t ns, int64_t interval_ns, bool showed_native) {
    long_ones_ = is_long(ns, interval_ns, showed_native) ? long_ones_ + 1 : 0;
    if (long_ones_ < kLongInARow) return;
    long_ones_ = 0;
    (showed_native ? without_native_ : without_walk_) = kTicksWithout;
  }

 private:
  uint32_t long_ones_ = 0;                          // in a row
  uint32_t without_native_ = 0, without_walk_ = 0;  // ticks to come
};

}  // namespace rec::agent
