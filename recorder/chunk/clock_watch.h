// SPDX-License-Identifier: Apache-2.0
// ClockWatch tells when the wall clock has moved against the monotonic one since a chunk began: it was set, or the
// machine slept. Times in a chunk are counted from its beginning, so the next chunk has to begin. Recorder thread only.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/clock.h"

namespace rec {

inline constexpr int64_t kClockJumpNs = 100'000'000;

class ClockWatch {
 public:
  explicit ClockWatch(int64_t (*unix_ns)()) : unix_ns_(unix_ns ? unix_ns : base::now_unix_ns) {}

  struct Instant {
    int64_t unix_ns;
    int64_t ticks;
  };
  // Both clocks, as close to each other as the scheduler lets us.
  Instant now() const {
    for (int tries = 0;; ++tries) {
      const int64_t before = base::now_ticks();
      const Instant now{unix_ns_(), base::now_ticks()};
      if (now.ticks - before < kClockJumpNs / 100 || tries == 3) return now;
    }
  }
  void chunk_begins(const Instant& at) { offset_ns_ = at.unix_ns - at.ticks; }
  // By how much since then; 0: less than kClockJumpNs.
  int64_t jump_ns() const {
    const Instant at = now();
    const int64_t jump = at.unix_ns - at.ticks - offset_ns_;
    return std::llabs(jump) < kClockJumpNs ? 0 : jump;
  }

 private:
  int64_t (*unix_ns_)();
  int64_t offset_ns_ = 0;
};

}  // namespace rec
