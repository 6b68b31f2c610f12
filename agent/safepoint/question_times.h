// SPDX-License-Identifier: Apache-2.0
// When a late thread is asked next where it is: after each of the waits that the user gave, then at an interval that
// grows with the stall, so that the last second of a minute is asked about, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rec::agent {

inline constexpr int64_t kQuestionShare = 32;  // a question each 1/32 of the time that it lasts already
inline constexpr size_t kMaxAsked = 512;       // signals to one thread for one safepoint: some days

// asked_ticks: of the last question; from_ticks: of the request. INT64_MAX: never.
inline int64_t next_question_ticks(std::span<const int64_t> waits_ns, int64_t interval_ns, size_t done,
                                   int64_t from_ticks, int64_t asked_ticks) {
  if (done >= kMaxAsked) return INT64_MAX;
  if (done < waits_ns.size()) return from_ticks + waits_ns[done];
  return asked_ticks + std::max(interval_ns, (asked_ticks - from_ticks) / kQuestionShare);
}

}  // namespace rec::agent
