// SPDX-License-Identifier: Apache-2.0
// When a thread that a safepoint waits for is asked where it is, and since when it was waited for.
#include "agent/safepoint/question_times.h"

#include <doctest/doctest.h>

#include <array>

#include "agent/safepoint/likely_start.h"

using namespace rec::agent;

namespace {

constexpr int64_t kTickMs = 1'000'000, kSecond = 1000 * kTickMs;
constexpr std::array kWaits{10 * kTickMs, 25 * kTickMs};

// How often within a stall that lasts so long, and the longest time without a question before its end.
struct Asked {
  size_t times = 0;
  int64_t blank_ns = 0;
};
Asked in_stall_of(int64_t length_ns) {
  Asked asked;
  int64_t last = 0;
  for (;;) {
    const int64_t next = next_question_ticks(kWaits, 10 * kTickMs, asked.times, 0, last);
    if (next > length_ns) return asked.blank_ns = length_ns - last, asked;
    last = next;
    ++asked.times;
  }
}

}  // namespace

TEST_CASE("a late thread is asked at the user's times first, then at the interval") {
  CHECK(next_question_ticks(kWaits, 10 * kTickMs, 0, 1000, 0) == 1000 + 10 * kTickMs);
  CHECK(next_question_ticks(kWaits, 10 * kTickMs, 1, 1000, 12 * kTickMs) == 1000 + 25 * kTickMs);
  CHECK(next_question_ticks(kWaits, 10 * kTickMs, 2, 1000, 26 * kTickMs) == 36 * kTickMs);
}

TEST_CASE("however long a stall lasts, its last part is asked about, and questions stay few") {
  for (const int64_t seconds : {1, 6, 60, 3600, 86400}) {
    const Asked asked = in_stall_of(seconds * kSecond);
    CHECK(asked.blank_ns <= seconds * kSecond / 16);
    CHECK(asked.times <= kMaxAsked);
  }
  CHECK(in_stall_of(6 * kSecond).times < 160);
}

TEST_CASE("what came between two looks began half way between them, give or take as much") {
  const LikelyStart start = likely_start(100, 110, 150);
  CHECK(start.ticks == 105);
  CHECK(start.error_ns == 5);
}

TEST_CASE("who looked seldom does not make a long one of what was soon over") {
  const LikelyStart start = likely_start(100, 300, 305);
  CHECK(start.ticks == 295);  // ten long, not a hundred
  CHECK(start.error_ns == 195);
  CHECK(likely_start(100, 300, 300).ticks == 300);
}
