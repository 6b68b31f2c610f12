// SPDX-License-Identifier: Apache-2.0
// Which events cut and scrub keep, beside those that pass the filter.
#include <doctest/doctest.h>

#include "format/reader/chunk_header.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
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

namespace {

// One that is met each 20 ms sleeps for a second and then for three; another waits for a lock from the third second to the sixth.
test::Bytes looks_and_waits() {
  using namespace test::made;
  const auto look = [](int64_t samples) {
    return test::MadeEvents::Fields{{"stackTrace", stack({"app.Main.sleeps"})},
                                    {"samples", whole(samples)},
                                    {"timeSpan", span_ms(samples * 20)},
                                    {"about", test::made::text("password=hunter2")}};
  };
  test::MadeEvents made;
  made.seconds(10)
      .add("profiler.WallClockSample", 9000, look(1))
      .setting("profiler.WallClockSample", "period", "20 ms");
  made.add("profiler.WallClockSample", 0, look(50)).add("profiler.WallClockSample", 1000, look(150));
  made.add("jdk.JavaMonitorEnter", 3000, {{"duration", span_ms(3000)}, {"stackTrace", stack({"app.Main.waits"})}});
  return made.bytes();
}

std::string stacks_of(const Workplace& place, std::vector<std::string> words) {
  words.insert(words.begin(), "collapsed");
  return hear(place, words).out;
}

}  // namespace

TEST_CASE("of what lasts cut keeps what stacks of that time count") {
  const Workplace place;
  const std::string whole = place.write("in.jfr", looks_and_waits()), part = place.path("out.jfr");
  using Span = std::pair<const char*, const char*>;
  for (const Span& span : {Span{"500ms", "2s"}, Span{"2s", "5s"}, Span{"3500ms", "8s"}, Span{"4s", "4100ms"}}) {
    const std::string from = span.first, to = span.second;
    CAPTURE(from);
    const Heard cut = hear(place, {"cut", whole, "-o", part, "--from", from, "--to", to});
    REQUIRE(cut.code == kDone);
    for (const std::string kind : {"wall", "lock"})
      CHECK(stacks_of(place, {"-e", kind, part}) == stacks_of(place, {"-e", kind, whole, "--from", from, "--to", to}));
  }
  hear(place, {"cut", whole, "-o", part, "--from", "500ms", "--to", "2s"});
  CHECK(stacks_of(place, {"-e", "wall", part}) == "app.Main.sleeps 75\n");
  const std::string shown = hear(place, {"print", "-e", "wall", "--json", part}).out;
  CHECK_MESSAGE(has(shown, "\"timeSpan\":\"PT0.5S\""), shown);
  CHECK(has(verified(place, part).text, "no problem"));
}

TEST_CASE("what is cut off of an event that lasts brings back none of its secrets") {
  const Workplace place;
  const std::string whole = place.write("in.jfr", looks_and_waits()), part = place.path("out.jfr");
  REQUIRE(hear(place, {"scrub", whole, part, "--secrets", "--from", "500ms", "--to", "2s"}).code == kDone);
  CHECK(stacks_of(place, {"-e", "wall", part}) == "app.Main.sleeps 75\n");
  CHECK_FALSE(has(place.read("out.jfr"), "hunter2"));
}
