// SPDX-License-Identifier: Apache-2.0
// Where exceptions are throttled, what shows them says of how many they are.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "format/reader/chunk_header.h"
#include "jrec/input/recording.h"
#include "jrec/report/report.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

namespace test::thrown_note {

using namespace made;

namespace {

constexpr const char* kThrown = "jdk.JavaExceptionThrow";

MadeEvents thrown(int events, int64_t counted) {
  MadeEvents made;
  for (int i = 0; i < events; ++i)
    made.add(kThrown, i * 10, {{"thrownClass", text("app.Refused")}, {"stackTrace", stack({"app.Orders.check"})}});
  for (const int64_t part : {0, 1, 2})
    if (counted != 0)
      made.add("jdk.ExceptionStatistics", part * 1000, {{"throwables", whole(70 + counted * part / 2)}});
  return made;
}

std::string view_of(const MadeEvents& made, std::vector<std::string> options = {}) {
  const Workplace place;
  options.insert(options.begin(), {"view", "exception-by-type", place.write("a.jfr", made.bytes())});
  const Heard heard = hear(place, options);
  CHECK(heard.code == 0);
  return heard.out;
}

std::string data_of_page(const std::string& path) {
  jrec::Recording recording(path);
  REQUIRE(recording.open());
  std::string data = jrec::report_data(recording, {});
  CHECK(recording.finish() == jrec::kDone);
  return data;
}

}  // namespace

TEST_CASE("views of exceptions say how many were thrown, and what throttles their events") {
  MadeEvents throttled = thrown(40, 5000);
  throttled.setting(kThrown, "throttle", "300/s");
  CHECK(has(view_of(throttled), "\n40 of 5,000 thrown: jdk.JavaExceptionThrow is throttled to 300/s\n"));
  CHECK_FALSE(has(view_of(throttled, {"--json"}), "throttled"));
  CHECK(has(view_of(thrown(40, 5000)), "\n40 of 5,000 thrown have an event\n"));
  MadeEvents uncounted = thrown(40, 0);
  uncounted.setting(kThrown, "throttle", "300/s");
  CHECK(
      has(view_of(uncounted), "\n40 have an event, and perhaps more were thrown: jdk.JavaExceptionThrow is throttled"));
}

TEST_CASE("of several JVMs, those alone count in what was thrown that have events of it") {
  const Workplace place;
  const auto of_jvm = [&](int pid, int events, int64_t counted) {
    MadeEvents made = thrown(events, counted);
    made.add("jdk.JVMInformation", 1, {{"pid", whole(pid)}, {"jvmStartTime", whole(1000)}});
    return made.bytes();
  };
  const std::string one = place.write("a.jfr", of_jvm(1, 40, 5000)), other = place.write("b.jfr", of_jvm(2, 0, 700));
  CHECK(has(hear(place, {"view", "exception-by-type", one, other}).out, "\n40 of 5,000 thrown have an event\n"));
}

TEST_CASE("of a JVM that began with the recording, what it threw before the first look at it counts, too") {
  const int64_t start_ms = jfr::read::parse_chunk_header(MadeEvents().bytes(), 0)->start_ns / 1'000'000;
  const auto began = [&](int64_t before_ms) {
    return thrown(40, 5000).add("jdk.JVMInformation", 1,
                                {{"pid", whole(7)}, {"jvmStartTime", whole(start_ms - before_ms)}});
  };
  CHECK(has(view_of(began(900)), "\n40 of 5,070 thrown have an event\n"));
  CHECK(has(view_of(began(60'000)), "\n40 of 5,000 thrown have an event\n"));
  // Not where a later part is chosen: what was thrown before that is none of it.
  CHECK(has(view_of(began(900), {"--from", "300"}), "\n10 of 2,500 thrown have an event\n"));
}

TEST_CASE("what was thrown before a recording was cut is not counted in the part") {
  const Workplace place;
  const int64_t start_ms = jfr::read::parse_chunk_header(MadeEvents().bytes(), 0)->start_ns / 1'000'000;
  const MadeEvents began =
      thrown(40, 5000).add("jdk.JVMInformation", 1, {{"pid", whole(7)}, {"jvmStartTime", whole(start_ms - 900)}});
  const std::string file = place.write("a.jfr", began.bytes()), part = place.path("part.jfr");
  REQUIRE(hear(place, {"cut", file, "-o", part, "--from", "300"}).code == 0);
  for (const char* all : {"exception-by-type", "exception-count"})
    CHECK(hear(place, {"view", all, part}).out == hear(place, {"view", all, "--from", "300", file}).out);
  CHECK(has(hear(place, {"view", "exception-by-type", part}).out, "\n10 of 2,500 thrown have an event\n"));
  const std::string start = place.path("start.jfr");
  REQUIRE(hear(place, {"cut", file, "-o", start, "--to", "1500"}).code == 0);
  CHECK(has(hear(place, {"view", "exception-by-type", start}).out, "\n40 of 2,570 thrown have an event\n"));
}

TEST_CASE("views of exceptions say nothing where all have an event, or of the throttle of another type") {
  MadeEvents all = thrown(40, 40);
  all.setting(kThrown, "throttle", "300/s");
  CHECK_FALSE(has(view_of(all), "thrown"));
  MadeEvents other = thrown(40, 0);
  other.setting("jdk.ObjectAllocationSample", "throttle", "150/s").setting(kThrown, "throttle", "off");
  CHECK_FALSE(has(view_of(other), "throttled"));
}

TEST_CASE("the count of exceptions and the findings say what each of them counts") {
  const Workplace place;
  const int64_t start_ms = jfr::read::parse_chunk_header(MadeEvents().bytes(), 0)->start_ns / 1'000'000;
  const auto told = [&](int64_t before_ms, const std::string& command) {
    const MadeEvents made = thrown(0, 50'000).add("jdk.JVMInformation", 1,
                                                  {{"pid", whole(7)}, {"jvmStartTime", whole(start_ms - before_ms)}});
    const std::string file = place.write("a.jfr", made.bytes());
    return command == "view" ? hear(place, {"view", "exception-count", file}).out
                             : hear(place, {"findings", "--width", "400", file}).out;
  };
  CHECK(has(told(900, "view"),
            "50,000\n\n70 more before the first look at them: 50,070 from the beginning of the JVM on"));
  CHECK(has(told(900, "findings"), "50,070 were counted in 2.00 s, from the beginning of the JVM on."));
  CHECK_FALSE(has(told(60'000, "view"), "before the first look"));
  CHECK(has(told(60'000, "findings"), "50,000 were counted in 2.00 s."));
}

TEST_CASE("the page says of how many exceptions its panel has events") {
  const Workplace place;
  MadeEvents made = thrown(40, 5000);
  made.setting(kThrown, "throttle", "300/s");
  place.write("a.jfr", made.bytes());
  CHECK(has(data_of_page(place.path("a.jfr")), "40 of 5,000 thrown: jdk.JavaExceptionThrow is throttled to 300/s"));
}

TEST_CASE("exceptions by message are as many as by class and by site: what their events stand for") {
  MadeEvents made;
  for (int i = 0; i < 40; ++i)
    made.add(kThrown, i * 10,
             {{"thrownClass", text("app.Refused")},
              {"message", text("no more")},
              {"stackTrace", stack({"app.Orders.check"})},
              {"weight", real(2.5)}});
  const Workplace place;
  const std::string file = place.write("a.jfr", made.bytes());
  for (const std::string by : {"type", "message", "site"}) {
    const Heard heard = hear(place, {"view", "--json", "exception-by-" + by, file});
    CHECK_MESSAGE(has(heard.out, "\"count\":100"), heard.out, heard.err);
  }
}

}  // namespace test::thrown_note
