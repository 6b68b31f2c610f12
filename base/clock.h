// SPDX-License-Identifier: Apache-2.0
// The two clocks of a recording: ticks (CLOCK_MONOTONIC, ns) stamp events; Unix time says when a chunk started. May be
// read in handlers.
#pragma once

#include <time.h>

#include <cstdint>

namespace base {

inline constexpr int64_t kSecond_ns = 1'000'000'000;

constexpr int64_t to_ns(const timespec& time) { return int64_t{time.tv_sec} * kSecond_ns + time.tv_nsec; }

inline int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return to_ns(now);
}
inline int64_t now_ticks() { return read_clock_ns(CLOCK_MONOTONIC); }
inline int64_t now_unix_ns() { return read_clock_ns(CLOCK_REALTIME); }
inline int64_t since_boot_ns() { return read_clock_ns(CLOCK_BOOTTIME); }  // suspended or not

// Local time minus UTC, now. Not for handlers.
inline int32_t gmt_offset_ms() {
  const time_t now = time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  return static_cast<int32_t>(local.tm_gmtoff) * 1000;
}

}  // namespace base
