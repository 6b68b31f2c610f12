// SPDX-License-Identifier: Apache-2.0
// The settings of a running recording may be changed within a chunk: a sample weighs by the period that held when it was taken.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace test;

namespace {

using PeriodChanges = std::vector<std::pair<int64_t, std::string>>;  // when, and to what

// Ten samples of app.Main.early in the first second, ten of app.Main.late in the third.
Bytes with_periods(const PeriodChanges& changes) {
  MadeEvents made;
  made.seconds(4);
  for (int i = 0; i < 20; ++i)
    made.add("jdk.CPUTimeSample", i < 10 ? i * 100 : 1000 + i * 100,
             {{"stackTrace", made::stack({i < 10 ? "app.Main.early" : "app.Main.late"})}});
  for (const auto& change : changes) made.setting("jdk.CPUTimeSample", "period", change.second, change.first);
  return made.bytes();
}

std::string heard_with(const PeriodChanges& changes, std::vector<std::string> command) {
  const Workplace place;
  command.push_back(place.write("a.jfr", with_periods(changes)));
  return hear(place, command).out;
}

const PeriodChanges kToTwenty = {{0, "10 ms"}, {1500, "10000000 ns"}, {1501, "20000000 ns"}};

}  // namespace

TEST_CASE("samples weigh by the period that held when they were taken, of one chunk, too") {
  const std::string collapsed = heard_with(kToTwenty, {"collapsed"});
  CHECK_MESSAGE(has(collapsed, "app.Main.early 100000000\n"), collapsed);
  CHECK(has(collapsed, "app.Main.late 200000000\n"));
  const std::string table = heard_with(kToTwenty, {"convert", "-f", "csv"});
  CHECK_MESSAGE(has(table, ",10000000,app.Main.early\n"), table);
  CHECK(has(table, ",20000000,app.Main.late\n"));
  CHECK_FALSE(has(table, ",10000000,app.Main.late\n"));
  CHECK(has(heard_with(kToTwenty, {"hot"}), "300 ms"));
  CHECK(has(heard_with(kToTwenty, {"hot", "--from", "1s"}), "10 samples"));
}

TEST_CASE("convert writes the lines of collapsed, also where samples stand for different times") {
  CHECK(heard_with(kToTwenty, {"convert", "-f", "collapsed"}) == heard_with(kToTwenty, {"collapsed"}));
  CHECK(heard_with(kToTwenty, {"convert", "-f", "collapsed", "--samples"}) ==
        heard_with(kToTwenty, {"collapsed", "--samples"}));
}

TEST_CASE("the period of another clock beside that of the wall clock is no change of it") {
  MadeEvents made;
  made.seconds(4);
  for (int i = 0; i < 3; ++i)
    made.add("profiler.WallClockSample", i * 100,
             {{"stackTrace", made::stack({"app.Main.waits"})}, {"samples", made::whole(2)}});
  made.samples(1, {"app.Main.runs"}).setting("profiler.WallClockSample", "period", "20 ms");
  made.add(
      "jdk.ActiveSetting", 150,
      {{"id", made::whole(RecordingBuilder::kSample)}, {"name", made::text("period")}, {"value", made::text("10 ms")}});
  const Workplace place;
  CHECK(hear(place, {"collapsed", "-e", "wall", place.write("a.jfr", made.bytes())}).out ==
        "app.Main.runs 1\napp.Main.waits 6\n");
}

TEST_CASE("settings of a period may stand in any order") {
  const PeriodChanges backwards(kToTwenty.rbegin(), kToTwenty.rend());
  CHECK(heard_with(backwards, {"collapsed"}) == heard_with(kToTwenty, {"collapsed"}));
}

TEST_CASE("a period that is told again, or changes where nobody samples, leaves samples counted") {
  const std::string counted = "app.Main.early 10\napp.Main.late 10\n";
  CHECK(heard_with({{0, "10 ms"}, {1500, "10000000 ns"}}, {"collapsed"}) == counted);
  CHECK(heard_with({{0, "10 ms"}, {3900, "20 ms"}}, {"collapsed"}) == counted);
  CHECK(heard_with(kToTwenty, {"collapsed", "--samples"}) == counted);
}
