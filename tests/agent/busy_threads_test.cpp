// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/busy_threads.h"

#include <doctest/doctest.h>

#include <memory>

using namespace rec::agent;

namespace {

constexpr int64_t kStaysBusy = BusyThreads::kStaysBusyNs;

size_t count_looked_at(BusyThreads& busy, int64_t now, bool works) {
  size_t count = 0;
  busy.look(now, [&](ThreadRecord&, int64_t) { return ++count, works; });
  return count;
}

}  // namespace

TEST_CASE("a thread that was at work is looked at until it has been idle for a while") {
  const auto record = std::make_unique<ThreadRecord>();
  record->os_id = 7;
  BusyThreads busy;
  CHECK(count_looked_at(busy, 0, true) == 0);
  busy.note(*record, 10);
  busy.note(*record, 11);
  CHECK(count_looked_at(busy, 20, true) == 1);
  CHECK(count_looked_at(busy, 20 + kStaysBusy, false) == 1);
  CHECK(count_looked_at(busy, 21 + kStaysBusy, false) == 1);
  CHECK(count_looked_at(busy, 22 + kStaysBusy, false) == 0);
}

TEST_CASE("a busy thread's look knows when the one before was") {
  const auto record = std::make_unique<ThreadRecord>();
  record->os_id = 7;
  BusyThreads busy;
  busy.note(*record, 10);
  int64_t before = 0;
  const auto look = [&](ThreadRecord&, int64_t at) { return before = at, true; };
  busy.look(30, look);
  CHECK(before == 10);
  busy.look(50, look);
  CHECK(before == 30);
}

TEST_CASE("a thread that ended is looked at no more, and neither is the one that has its record now") {
  const auto record = std::make_unique<ThreadRecord>();
  record->os_id = 7;
  BusyThreads busy;
  busy.note(*record, 10);
  record->os_id = 8;
  CHECK(count_looked_at(busy, 20, true) == 0);
}

TEST_CASE("no more threads than there is room for are looked at each time") {
  std::vector<std::unique_ptr<ThreadRecord>> records;
  BusyThreads busy;
  for (size_t i = 0; i < BusyThreads::kMost + 3; ++i) {
    records.push_back(std::make_unique<ThreadRecord>());
    records.back()->os_id = static_cast<int32_t>(i + 1);
    busy.note(*records.back(), 1);
  }
  CHECK(count_looked_at(busy, 2, true) == BusyThreads::kMost);
}
