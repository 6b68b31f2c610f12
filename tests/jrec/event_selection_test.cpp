// SPDX-License-Identifier: Apache-2.0
// Which events cut and scrub keep, beside those that pass the filter.
#include <doctest/doctest.h>

#include "format/reader/chunk_header.h"
#include "tests/jrec/files.h"
#include "tests/jrec/made_events.h"

using namespace jrec;
using namespace test;

TEST_CASE("cut by time keeps what a chunk says about itself before, but not of a chunk that goes") {
  using namespace test::made;
  const auto at = [](int64_t ms) {
    return test::MadeEvents()
        .seconds(2)
        .add("jdk.ActiveSetting", 0,
             {{"id", whole(10)}, {"name", test::made::text("period")}, {"value", test::made::text("10 ms")}})
        .add("jdk.JVMInformation", 1, {{"pid", whole(7)}, {"jvmStartTime", whole(5)}})
        .add("jdk.CPULoad", 2, {{"machineTotal", whole(1)}})
        .add("app.Late", ms, {{"x", whole(1)}})
        .bytes();
  };
  Bytes recording = at(1500);
  const Bytes other = at(10);
  recording.insert(recording.end(), other.begin(), other.end());
  const Workplace place;
  RewriteOptions options = cut_of(place, recording);
  options.selection.filter.from = "1s";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 3 events"));
  CHECK_FALSE(has(summary_of(place, options.out).text, "\"name\":\"jdk.CPULoad\",\"count\":1,"));
  options.selection.exclude_events = "jdk.JVMInformation";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 2 events"));
  options.selection.filter.events = "app.Late";
  CHECK(rewritten(place, options) == kDone);
  CHECK(has(verified(place, options.out).text, "1 chunk, 1 event"));
}

TEST_CASE("cut by time begins and ends then, and no event moves") {
  const Workplace place;
  RewriteOptions options = cut_of(place, two_chunks());
  options.selection.filter.from = "400ms";
  CHECK(rewritten(place, options) == kDone);
  const Bytes from = bytes_of(place, "out.jfr");
  const auto whole = jfr::read::parse_chunk_header(two_chunks(), 0), part = jfr::read::parse_chunk_header(from, 0);
  REQUIRE((whole && part));
  CHECK(part->start_ns == whole->start_ns + 400'000'000);
  CHECK(part->end_ns() == whole->end_ns());
  CHECK(jfr::read::Clock(*part).unix_ns(500'000'000) == jfr::read::Clock(*whole).unix_ns(500'000'000));
  CHECK(has(verified(place, options.out).text, "no problem"));
  options.selection.filter.to = "600ms";
  CHECK(rewritten(place, options) == kDone);
  CHECK(jfr::read::parse_chunk_header(bytes_of(place, "out.jfr"), 0)->duration_ns == 200'000'000);
}
