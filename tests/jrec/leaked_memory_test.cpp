// SPDX-License-Identifier: Apache-2.0
// Which allocations of native memory were not freed.
#include "jrec/profile/leaked_memory.h"

#include <doctest/doctest.h>

#include "jrec/profile/malloc_weight.h"
#include "jrec/profile/sample_kind.h"

using namespace jrec;

namespace {

ChunkMemory of_one(std::vector<MemoryEvent> events, std::optional<WriterProcess> writer = {}) {
  return {std::move(events), writer, {}};
}

}  // namespace

TEST_CASE("what was freed has not leaked, whatever the order of chunks and events") {
  LeakedMemory leaked;
  leaked.note(of_one({{.address = 0x20, .ticks = 30}, {.address = 0x10, .ticks = 20, .is_free = true}}));
  leaked.note(of_one({{.address = 0x10, .ticks = 10}, {.address = 0x30, .ticks = 5}}));
  leaked.settle(0);
  CHECK(leaked.has(0x20, 30));
  CHECK(leaked.has(0x30, 5));
  CHECK_FALSE(leaked.has(0x10, 10));
  CHECK_FALSE(leaked.has(0x10, 20));
  CHECK_FALSE(leaked.has(0x20, 31));
}

TEST_CASE("an address that is used again has leaked at most once, where it was allocated last") {
  LeakedMemory leaked;
  leaked.note(of_one({{.address = 0x10, .ticks = 10},
                      {.address = 0x10, .ticks = 20, .is_free = true},
                      {.address = 0x10, .ticks = 30},
                      {.address = 0x10, .ticks = 40},
                      {.address = 0x40, .ticks = 1, .is_free = true}}));
  leaked.settle(0);
  CHECK_FALSE(leaked.has(0x10, 10));
  CHECK_FALSE(leaked.has(0x10, 30));
  CHECK(leaked.has(0x10, 40));
  CHECK_FALSE(leaked.has(0x40, 1));
}

TEST_CASE("what one JVM frees is another's no longer than its own address") {
  LeakedMemory leaked;
  leaked.note(
      of_one({{.address = 0x10, .ticks = 10}, {.address = 0x20, .ticks = 11}}, WriterProcess{7, 1, Recorder::kJdk}));
  leaked.note(of_one({{.address = 0x10, .ticks = 15, .is_free = true}, {.address = 0x20, .ticks = 16}},
                     WriterProcess{8, 1, Recorder::kJdk}));
  leaked.note(of_one({{.address = 0x20, .ticks = 20, .is_free = true}}));  // of who wrote the one before
  leaked.settle(0);
  CHECK(leaked.has(0x10, 10));
  CHECK(leaked.has(0x20, 11));
  CHECK_FALSE(leaked.has(0x20, 16));
}

TEST_CASE("the youngest part of the time is left out") {
  for (const double tail : {0.0, 0.1, 1.0}) {
    LeakedMemory leaked;
    leaked.note(
        of_one({{.address = 0x10, .ticks = 100}, {.address = 0x20, .ticks = 180}, {.address = 0x30, .ticks = 200}}));
    leaked.settle(tail);
    CHECK(leaked.has(0x10, 100));
    CHECK(leaked.has(0x20, 180) == (tail < 1));
    CHECK(leaked.has(0x30, 200) == (tail == 0));
  }
  LeakedMemory nothing;
  nothing.settle(0.1);
  CHECK_FALSE(nothing.has(0, 0));
}

TEST_CASE("the youngest part of the time is that of the recording, where nothing is allocated any more at its end") {
  LeakedMemory leaked;
  ChunkMemory quiet_at_the_end = of_one({{.address = 0x10, .ticks = 180}, {.address = 0x20, .ticks = 200}});
  quiet_at_the_end.span = {100, 300};
  leaked.note(quiet_at_the_end);
  leaked.settle(0.1);
  CHECK(leaked.has(0x10, 180));
  CHECK(leaked.has(0x20, 200));
  leaked.settle(0.6);
  CHECK_FALSE(leaked.has(0x20, 200));
}

TEST_CASE("native memory is told in the bytes that a sample stands for") {
  CHECK(weight_field("profiler.Malloc").name == "size");
  CHECK(weight_unit("profiler.Malloc", false) == "bytes");
  CHECK(sample_kind("nativemem").all_types() == SampleKind::Types{"profiler.Malloc"});
  CHECK(malloc_weight(16, 524'288) == 524'296);
  CHECK(malloc_weight(524'288, 524'288) == 829'411);
  CHECK(malloc_weight(16 << 20, 524'288) == 16 << 20);
  CHECK(malloc_weight(24, 0) == 24);
  CHECK(malloc_weight(0, 524'288) == 0);
  CHECK(malloc_weight(UINT64_MAX, 1) == UINT64_MAX);
  CHECK(malloc_weight(1, UINT64_MAX) > 0);
}
