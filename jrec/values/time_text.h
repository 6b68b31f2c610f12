// SPDX-License-Identifier: Apache-2.0
// Times and durations as java.time prints them, because that is what users of `jfr print` parse.
#pragma once

#include <cstdint>
#include <string>

namespace jrec {

inline constexpr int64_t kNanosPerSecond = 1'000'000'000;

// Division that rounds down, and the remainder that goes with it, for b > 0: -1 ns is second -1 and 999,999,999 ns.
constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr int64_t floor_mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

// ISO-8601 with offset: 2023-11-20T11:22:22.164797737-05:00. The fraction has 0, 3, 6 or 9 digits; offset 0 is Z.
void append_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out);
void append_time_ns(int64_t unix_ns, int32_t utc_offset_s, std::string& out);
// The same as `jfr print` has it: seconds of :00 without fraction are left out, which not every reader of ISO-8601 knows.
void append_java_time(int64_t unix_s, int32_t nanos, int32_t utc_offset_s, std::string& out);

// ISO-8601 duration: PT1H2M3.5S, PT0S. nanos is 0..999999999 and counts forward from seconds, negative ones too.
void append_duration(int64_t seconds, int32_t nanos, std::string& out);
void append_duration_ns(int64_t ns, std::string& out);

// What java.time calls OffsetDateTime.MIN: a timestamp that was never set.
inline constexpr const char* kTimeNeverSet = "-999999999-01-01T00:00+18:00";

// Seconds east of Greenwich, 0 where java.time accepts no such offset.
int32_t checked_utc_offset_s(int64_t offset_ms);

}  // namespace jrec
