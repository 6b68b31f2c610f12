// SPDX-License-Identifier: Apache-2.0
// Calls of System.gc() where no event tells them, by the collections that they make.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;

namespace {

struct Collected {
  int64_t number;
  std::string name, cause;
};

Collected young_of_call(int64_t number) { return {number, "ParallelScavenge", "System.gc()"}; }
Collected whole_heap_of_call(int64_t number) { return {number, "ParallelOld", "System.gc()"}; }
Collected young_for_room(int64_t number) { return {number, "ParallelScavenge", "Allocation Failure"}; }

std::string told_of_collections(const std::vector<Collected>& collected) {
  MadeEvents made;
  for (const Collected& each : collected)
    made.add("jdk.GarbageCollection", each.number * 1000,
             {{"gcId", made::whole(each.number)},
              {"name", made::text(each.name)},
              {"cause", made::text(each.cause)},
              {"sumOfPauses", made::span_ms(5)},
              {"longestPause", made::span_ms(5)}});
  return findings_rules::told_of(made);
}

}  // namespace

TEST_CASE("findings: two collections of Parallel that one call of System.gc() makes are one call") {
  CHECK(has(told_of_collections({young_of_call(0), whole_heap_of_call(1), young_of_call(2), whole_heap_of_call(3),
                                 young_of_call(4), whole_heap_of_call(5)}),
            "System.gc() was called 3 times"));
}

TEST_CASE("findings: collections of one call of System.gc() are known in whatever order their events stand") {
  CHECK(has(told_of_collections({whole_heap_of_call(1), young_of_call(0), young_of_call(2), whole_heap_of_call(5),
                                 young_of_call(4), whole_heap_of_call(3)}),
            "System.gc() was called 3 times"));
}

TEST_CASE("findings: a collection by System.gc() that is no half of a pair is a call") {
  CHECK(has(told_of_collections({young_of_call(0), young_of_call(1), whole_heap_of_call(2), young_of_call(3)}),
            "System.gc() was called 3 times"));
  CHECK(has(told_of_collections({whole_heap_of_call(0), whole_heap_of_call(1)}), "System.gc() was called twice"));
  CHECK(has(told_of_collections({young_of_call(0), young_for_room(1), whole_heap_of_call(2)}),
            "System.gc() was called twice"));
}
