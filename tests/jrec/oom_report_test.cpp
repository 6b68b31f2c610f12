// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "jrec/view/memory_notes.h"

using namespace jrec;

namespace {

constexpr int64_t kMiB = 1 << 20, kNsOfSecond = 1'000'000'000;

MemoryUse use(int64_t seconds, int64_t resident, int64_t group, int64_t limit) {
  MemoryUse note;
  note.at_ns = seconds * kNsOfSecond;
  note.resident = resident * kMiB;
  note.group = group * kMiB;
  note.inactive = 0;
  note.limit = limit < 0 ? kUnknownBytes : limit * kMiB;
  return note;
}

MemoryNotes growing(size_t kind, int64_t limit) {
  MemoryNotes notes;
  for (int64_t second = 0; second <= 30; ++second)
    notes.uses.push_back(use(second, 50 + 5 * second, 50 + 5 * second, limit));
  notes.kinds.push_back({0, {10 * kMiB, kMiB, kMiB, 20 * kMiB, 18 * kMiB, 0}});
  notes.kinds.push_back({30 * kNsOfSecond, notes.kinds[0].bytes});
  notes.kinds[1].bytes[kind] += 150 * kMiB;
  return notes;
}

bool says(const MemoryNotes& notes, const char* words) { return oom_report(notes).find(words) != std::string::npos; }

}  // namespace

TEST_CASE("what grew most is named, with the limit and how near it was") {
  const MemoryNotes notes = growing(kNativeMemory, 202);
  CHECK(says(notes, "limit of 202.0 MB. At the last note 99.01% of it was in use"));
  CHECK(
      says(notes, "What grew most: native memory, by 150.0 MB to 170.0 MB, which is 100.00% of all growth in 30.0 s."));
  CHECK(says(notes, "The JVM did not end by itself"));
  CHECK_FALSE(says(notes, "not near the limit"));
  CHECK(says(growing(kThreadStacks, 202), "What grew most: thread stacks"));
}

TEST_CASE("a process that died far from its limit, or without one, is not said to have died of it") {
  CHECK(says(growing(kJavaHeap, 1000), "That is not near the limit"));
  CHECK(says(growing(kJavaHeap, -1), "no memory limit, and used 200.0 MB"));
  MemoryNotes ended = growing(kJavaHeap, 1000);
  ended.shut_down = true;
  CHECK(says(ended, "The JVM ended by itself"));
  CHECK_FALSE(says(ended, "not near the limit"));
}

TEST_CASE("a limit that is two steps away is near, however much that is") {
  MemoryNotes notes = growing(kJavaHeap, 280);
  CHECK(says(notes, "That is not near the limit"));
  notes.uses.push_back(use(31, 240, 240, 280));
  CHECK(says(notes, "It grew by 40.0 MB between the last two notes: at that rate the limit was no two notes away."));
}

TEST_CASE("damage: notes that are missing or unknown are said to be") {
  CHECK(says({}, "No events found"));
  MemoryNotes one;
  one.uses.push_back({});
  CHECK(says(one, "no control group"));
  CHECK(says(one, "too seldom"));
  CHECK(says(one, "N/A"));
  MemoryNotes same = growing(kJavaHeap, 300);
  same.kinds[1] = same.kinds[0];
  CHECK(says(same, "Nothing grew."));
}
