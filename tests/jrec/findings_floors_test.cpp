// SPDX-License-Identifier: Apache-2.0
// What rules ask for before they say something: bytes, and samples.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace test;

namespace {

std::string found_from(const MadeEvents& made) {
  const Workplace place;
  return hear(place, {"findings", place.write("a.jfr", made.bytes()), "--width", "1000"}).out;
}

// The heap has so many bytes at most; what lives grows by so many at each of 12 collections.
MadeEvents rising(int64_t most, int64_t first, int64_t step) {
  MadeEvents made = findings_rules::heap_after("SerialOld", 12, [=](int i) { return first + i * step; });
  return made.add("jdk.GCHeapConfiguration", 1, {{"maxSize", made::whole(most)}});
}

constexpr int64_t kMB = int64_t{1} << 20;

}  // namespace

TEST_CASE("findings: what lives grows by so little of the heap as programs do that warm up, and it is no leak") {
  CHECK_FALSE(has(found_from(rising(300 * kMB, 7 * kMB, kMB / 2)), "perhaps a leak"));
  CHECK(has(found_from(rising(300 * kMB, 7 * kMB, 2 * kMB)), "perhaps a leak"));
  CHECK(has(found_from(rising(30 * kMB, 7 * kMB, kMB / 2)), "perhaps a leak"));
  CHECK(has(found_from(rising(32'000 * kMB, 100 * kMB, 20 * kMB)), "perhaps a leak"));
}
