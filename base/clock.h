// SPDX-License-Identifier: Apache-2.0
// The two clocks of a recording: ticks (CLOCK_MONOTONIC, ns) stamp events; Unix time says when a chunk started. May be
// read in handlers.
#pragma once

#include <time.h>

#include <cstdint>

namespace base {

inline int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}
inline int64_t now_ticks() { return read_clock_ns(CLOCK_MONOTONIC); }
inline int64_t now_unix_ns() { return read_clock_ns(CLOCK_REALTIME); }

// Local time minus UTC, now. Not for handlers.
inline int32_t gmt_offset_ms() {
  const time_t now = time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  return static_cast<int32_t>(local.tm_gmtoff) * 1000;
}

}  // namespace base
