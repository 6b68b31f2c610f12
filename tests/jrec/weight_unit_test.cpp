// SPDX-License-Identifier: Apache-2.0
// Samples that stand for different times: of two intervals, of several recordings, of events that tell their own.
#include "jrec/profile/weight_unit.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "jrec/flame/flame.h"
#include "jrec/profile/collapsed.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/hot.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

// Samples of a method, each of which stands for that period; empty: the recording does not tell.
Bytes sampled(int count, const std::string& method, const std::string& period) {
  MadeEvents made;
  made.seconds(10).samples(count, {method});
  if (!period.empty())
    made.add("jdk.ActiveSetting", 0,
             {{"id", made::whole(RecordingBuilder::kSample)},
              {"name", made::text("period")},
              {"value", made::text(period)}});
  return made.bytes();
}

Bytes both(const Bytes& a, const Bytes& b) {
  Bytes all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

template <typename Run, typename Options>
std::string said(const Run& run, Options options, const Bytes& recording) {
  const Workplace place;
  options.files = {place.write("a.jfr", recording)};
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run(options, out); }, code);
  CHECK(code == kDone);
  return text;
}

std::string hot_text(const Bytes& recording, ProfileOptions profile = {}) {
  HotOptions options;
  options.profile = profile;
  return said(run_hot, options, recording);
}

// include: of the stacks that match it.
std::string lines_of(const Bytes& recording, const std::string& include = "", const std::string& event = "cpu") {
  CollapsedOptions options;
  options.profile.event = event;
  options.profile.filter.include = include;
  return said(run_collapsed, options, recording);
}

void tells_its_period(MadeEvents& made, const std::string& method, int64_t period_ms) {
  made.add("jdk.CPUTimeSample", 1,
           {{"stackTrace", made::stack({method})}, {"samplingPeriod", made::whole(period_ms * 1'000'000)}});
}

}  // namespace

TEST_CASE("samples of two intervals weigh what they stand for") {
  const Bytes recording = both(sampled(25, "app.A.first", "40 ms"), sampled(250, "app.A.second", "4 ms"));
  const std::string text = hot_text(recording);
  CHECK(text.find("jdk.ExecutionSample: 2.00 s in 275 events") != std::string::npos);
  CHECK(text.find("50.00     1.00 s  50.00  app.A.first") != std::string::npos);
  CHECK(text.find("50.00     1.00 s  50.00  app.A.second") != std::string::npos);
  CHECK(lines_of(recording) == "app.A.first 1000000000\napp.A.second 1000000000\n");
}

TEST_CASE("samples of one interval are counted, and so are all that are to be") {
  const Bytes same = both(sampled(3, "app.A.first", "10 ms"), sampled(5, "app.A.second", "10 ms"));
  CHECK(lines_of(same) == "app.A.first 3\napp.A.second 5\n");
  const Bytes untold = both(sampled(3, "app.A.first", "10 ms"), sampled(5, "app.A.second", ""));
  CHECK(lines_of(untold) == "app.A.first 3\napp.A.second 5\n");
  ProfileOptions counted;
  counted.count_samples = true;
  CHECK(hot_text(both(sampled(3, "app.A.first", "10 ms"), sampled(5, "app.A.second", "4 ms")), counted)
            .find("jdk.ExecutionSample: 8 samples") != std::string::npos);
}

TEST_CASE("a part that does not tell its interval has that of those before") {
  const Bytes three =
      both(both(sampled(3, "app.A.one", "10 ms"), sampled(5, "app.A.two", "2 ms")), sampled(7, "app.A.three", ""));
  CHECK(lines_of(three) == "app.A.one 30000000\napp.A.two 10000000\napp.A.three 14000000\n");
}

TEST_CASE("samples that tell their time by themselves weigh that, in one chunk, too") {
  MadeEvents mixed, alike;
  tells_its_period(mixed, "app.A.first", 40);
  for (int i = 0; i < 10; ++i) tells_its_period(mixed, "app.A.second", 4);
  for (int i = 0; i < 3; ++i) tells_its_period(alike, "app.A.first", 40);
  CHECK(lines_of(mixed.bytes()) == "app.A.first 40000000\napp.A.second 40000000\n");
  CHECK(lines_of(alike.bytes()) == "app.A.first 3\n");
}

TEST_CASE("what a filter leaves weighs in the unit of the whole recording") {
  const Bytes chunks = both(sampled(25, "app.A.first", "40 ms"), sampled(250, "app.A.second", "4 ms"));
  CHECK(lines_of(chunks, "second") == "app.A.second 1000000000\n");
  CHECK(lines_of(chunks, "first") == "app.A.first 1000000000\n");
  CHECK(lines_of(chunks, "nobody").empty());
  CHECK(lines_of(both(sampled(3, "app.A.first", "10 ms"), sampled(5, "app.A.second", "10 ms")), "second") ==
        "app.A.second 5\n");
}

TEST_CASE("what a filter leaves of a chunk weighs in the unit of the whole chunk") {
  MadeEvents changed, by_themselves;
  const auto looked = [](const std::string& method) {
    return MadeEvents::Fields{{"stackTrace", made::stack({method})}, {"samples", made::whole(1)}};
  };
  changed.seconds(10).add("profiler.WallClockSample", 1000, looked("app.A.first"));
  for (const int64_t at_ms : {6000, 6005, 6010}) changed.add("profiler.WallClockSample", at_ms, looked("app.A.second"));
  changed.setting("profiler.WallClockSample", "period", "50 ms");
  changed.setting("profiler.WallClockSample", "period", "5 ms", 5000);
  CHECK(lines_of(changed.bytes(), "second", "wall") == "app.A.second 15000000\n");
  CHECK(lines_of(changed.bytes(), "first", "wall") == "app.A.first 50000000\n");
  tells_its_period(by_themselves, "app.A.first", 40);
  for (int i = 0; i < 10; ++i) tells_its_period(by_themselves, "app.A.second", 4);
  CHECK(lines_of(by_themselves.bytes(), "second") == "app.A.second 40000000\n");
}

TEST_CASE("a flame graph's timeline weighs like its tree") {
  FlameOptions options;
  const Bytes chunks = both(sampled(25, "app.A.first", "40 ms"), sampled(250, "app.A.second", "4 ms"));
  const std::string page = said(run_flame, options, chunks);
  CHECK(page.find("\"unit\":\"ns\"") != std::string::npos);
  CHECK(page.find("\"total\":2000000000") != std::string::npos);
  options.profile.filter.include = "first";
  const std::string part = said(run_flame, options, chunks);
  CHECK(part.find("\"total\":1000000000") != std::string::npos);
  CHECK(part.find("\"weight\":[1000000000]") != std::string::npos);
}

TEST_CASE("runs of several intervals make one side of a diff") {
  const Workplace place;
  DiffOptions options;
  options.json = true;
  options.before = {place.write("a.jfr", sampled(100, "app.A.first", "40 ms")),
                    place.write("b.jfr", sampled(1000, "app.A.second", "4 ms"))};
  options.after = {place.write("c.jfr", sampled(100, "app.A.first", "40 ms")),
                   place.write("d.jfr", sampled(500, "app.A.second", "8 ms"))};
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_diff(options, out); }, code);
  CHECK(text.find("\"unit\":\"ns\",\"total\":8000000000") != std::string::npos);
  CHECK(text.find("\"yes\"") == std::string::npos);
}

TEST_CASE("what samples of a page stand for is what they do, whatever a recording beside them says that has none") {
  const Workplace place;
  MadeEvents other;
  other.seconds(10)
      .enabled("jdk.ExecutionSample")
      .add("jdk.ActiveSetting", 0,
           {{"id", made::whole(RecordingBuilder::kSample)},
            {"name", made::text("period")},
            {"value", made::text("3 ms")}});
  place.write("p.jfr", both(sampled(25, "app.A.first", "40 ms"), other.bytes()));
  const Heard page = hear(place, {"report", place.path("p.jfr"), "-o", "-"});
  CHECK_MESSAGE(has(page.out, "\"period_ns\":40000000"), page.err);
}

TEST_CASE("samples of async-profiler's wall clock stand for the interval that it calls wall") {
  const Workplace place;
  MadeEvents made;
  made.seconds(10).samples(1, {"app.A.runs"});
  for (const auto& [name, value] :
       {std::pair("interval", "10000000"), std::pair("wall", "20000000"), std::pair("interval", "0")})
    made.add(
        "jdk.ActiveSetting", 0,
        {{"id", made::whole(RecordingBuilder::kSample)}, {"name", made::text(name)}, {"value", made::text(value)}});
  made.add("profiler.WallClockSample", 10, {{"stackTrace", made::stack({"app.A.waits"})}, {"samples", made::whole(3)}});
  const Heard csv = hear(place, {"convert", place.write("a.jfr", made.bytes()), "-e", "wall", "-f", "csv"});
  CHECK_MESSAGE(has(csv.out, ",3,60000000,app.A.waits"), csv.out);
}
