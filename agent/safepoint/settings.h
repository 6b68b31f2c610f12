// SPDX-License-Identifier: Apache-2.0
// What the user asked of the safepoint watcher, and its limits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rec::agent {

struct SafepointSettings {
  int64_t threshold_ns = 0;
  int64_t poll_ns = 0;            // between two looks at the counters while all is well
  std::vector<int64_t> waits_ns;  // from the request to the first, second, ... signal to a late thread
  int64_t interval_ns = 0;        // between further ones
  std::string log;                // file for people, in the layout of Azul's log; "stderr"; empty: none
  uint32_t stack_depth = 256;

  // Of what the user left to us.
  SafepointSettings with_defaults() const {
    constexpr int64_t kMillisecond = 1'000'000, kLooksInThreshold = 2;
    SafepointSettings all = *this;
    if (poll_ns == 0) all.poll_ns = std::clamp(threshold_ns / kLooksInThreshold, kMillisecond, 10 * kMillisecond);
    if (waits_ns.empty()) all.waits_ns = {threshold_ns};
    return all;
  }

  // Who gives way sooner is not late.
  int64_t patience_ns() const { return std::min(waits_ns.front(), threshold_ns); }
};

inline constexpr int kListShare = 2;                // threads are listed at 1/2 of that: later is too late for some
inline constexpr int kSoonShare = 4;                // who gave way 1/4 of that before it was reached was not the reason
inline constexpr size_t kMaxListed = 64;            // late threads of one safepoint that are watched one by one
inline constexpr int64_t kLookNs = 40'000;          // between two looks at late threads, at first
inline constexpr int64_t kLongestLookNs = 500'000;  // and after a while
inline constexpr int64_t kLookShare = 500;          // a look each 1/500 of the time that it lasts already
inline constexpr int64_t kSuspectLookNs =
    1'000'000;                               // while somebody may be waited for: many short ones are no long one
inline constexpr uint32_t kSweep = 128;      // threads a poll that are looked at for handshakes
inline constexpr uint32_t kSweepAlone = 64;  // the same without counters, where it must find safepoints too
inline constexpr size_t kMaxSuspects = 128;  // handshakes that are followed at a time
inline constexpr int64_t kLongestHandshakeNs = 3'600'000'000'000;  // who is said to have asked before that, did not

}  // namespace rec::agent
