// SPDX-License-Identifier: Apache-2.0
// What `jrec diff` says of chance, held against tables and against draws of which the truth is known.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "jrec/profile/chance.h"
#include "jrec/profile/diff.h"
#include "jrec/profile/fail_if.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

namespace test::chance {

using namespace jrec;

namespace {

// Samples of so many methods: of method i, counts[i].
MadeEvents run_of(const std::vector<int>& counts) {
  MadeEvents made;
  for (size_t i = 0; i < counts.size(); ++i)
    made.samples(counts[i], {"app.M" + std::to_string(i) + ".run", "app.Main.run"});
  return made;
}

struct Compared {
  std::string text;
  int code = -1;
};

Compared compared(DiffOptions options, const std::vector<std::vector<int>>& before,
                  const std::vector<std::vector<int>>& after) {
  const Workplace place;
  const Quiet quiet;
  for (const auto& counts : before)
    options.before.push_back(place.write("a" + std::to_string(options.before.size()), run_of(counts).bytes()));
  for (const auto& counts : after)
    options.after.push_back(place.write("b" + std::to_string(options.after.size()), run_of(counts).bytes()));
  if (options.width == 0) options.width = 120;
  Compared result;
  result.text = place.output_of([&](Output& out) { return run_diff(options, out); }, result.code);
  return result;
}

DiffOptions fail_if(const std::string& words) {
  DiffOptions options;
  options.fail_if = {words};
  return options;
}

}  // namespace

TEST_CASE("chance: Student's t is that of the tables") {
  CHECK(t_of_a_twentieth(1) == doctest::Approx(12.706).epsilon(1e-4));
  CHECK(t_of_a_twentieth(4) == doctest::Approx(2.7764).epsilon(1e-4));
  CHECK(t_of_a_twentieth(30) == doctest::Approx(2.0423).epsilon(1e-4));
  CHECK(t_of_a_twentieth(1e6) == doctest::Approx(1.95997).epsilon(1e-4));
  CHECK(probability_of_t(0, 5) == doctest::Approx(1));
}

TEST_CASE("chance: two proportions, and Welch's test, by worked examples") {
  const Difference shares = difference_of_shares(30, 200, 60, 200);
  CHECK(shares.value == doctest::Approx(0.15));
  CHECK(shares.low == doctest::Approx(0.068).epsilon(0.01));
  CHECK(shares.high == doctest::Approx(0.229).epsilon(0.01));
  CHECK(shares.probability == doctest::Approx(3.3e-4).epsilon(0.05));
  CHECK(shares.known);
  const double a[] = {0.30, 0.31, 0.32}, b[] = {0.40, 0.41, 0.45};
  const Difference runs = difference_of_runs(a, b);
  CHECK(runs.value == doctest::Approx(0.11));
  CHECK(runs.probability < 0.02);
  CHECK(runs.low > 0);
  CHECK(runs.low < runs.value);
}

TEST_CASE("chance: no interval goes beyond all and nothing") {
  const Difference few = difference_of_shares(1, 1, 0, 200);
  CHECK(few.low >= -1);
  const Difference none = difference_of_shares(0, 0, 100, 200);
  CHECK(none.low == -1);
  CHECK(none.high == 1);
  CHECK_FALSE(few.known);
  const double a[] = {0.1, 0.9}, b[] = {0.2, 0.99};
  CHECK(difference_of_runs(a, b).low >= -1);
  CHECK(difference_of_runs(a, b).high <= 1);
}

TEST_CASE("chance: Benjamini and Hochberg's adjustment keeps the order, and is never below what came in") {
  const std::vector<double> all = adjusted({0.01, 0.04, 0.03, 0.005, 0.5});
  const double expected[] = {0.025, 0.05, 0.05, 0.025, 0.5};
  for (size_t i = 0; i < all.size(); ++i) CHECK(all[i] == doctest::Approx(expected[i]));
  CHECK(adjusted({}).empty());
}

TEST_CASE(
    "chance: of draws from one program almost none is called sure, in 19 of 20 cases the interval holds the truth") {
  std::mt19937 random(7);  // NOLINT: the same draws each time
  int discoveries = 0, held = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::binomial_distribution<int> hits(1000, 0.05);
    const Difference difference = difference_of_shares(hits(random), 1000, hits(random), 1000);
    if (difference.probability <= 0.05) ++discoveries;
    if (difference.low <= 0 && difference.high >= 0) ++held;
  }
  CHECK(discoveries < kTries * 0.075);
  CHECK(held > kTries * 0.925);
}

TEST_CASE("diff: a change that is more than chance comes first, however large those are that are not") {
  const Compared result = compared({}, {{600, 396, 4}}, {{500, 497, 3}});
  CHECK(result.code == kDone);
  CHECK(has(result.text, "3 of 4 methods changed by more than chance") == false);
  CHECK(has(result.text, "2 of 4 methods changed by more than chance; 2 are in too few samples to tell."));
  CHECK(result.text.find("yes  app.M1.run") < result.text.find("few  app.M2.run"));
}

TEST_CASE("diff: with few samples nothing is said to have changed") {
  const Compared result = compared({}, {{30, 10}}, {{5, 25}});
  CHECK(has(result.text, "Too few samples to tell a change from chance: 40 and 30, and 100 are needed on each side."));
  CHECK_FALSE(has(result.text, " yes "));
}

TEST_CASE("chance: samples of one weight are worth their number, a heavy one makes the others worth little") {
  const auto worth = [](const std::vector<uint64_t>& weights) {
    std::vector<TimedSample> samples;
    for (const uint64_t weight : weights) samples.push_back({static_cast<int64_t>(samples.size()), weight, 0, 1});
    SampleWorth all;
    all.add(samples);
    return all.draws();
  };
  CHECK(worth({}) == 0);
  CHECK(worth({7, 7, 7, 7}) == doctest::Approx(4));
  CHECK(worth({1, 1, 1, 1, 0}) == doctest::Approx(4));
  CHECK(worth({1, 1, 1, 1000}) == doctest::Approx(1.006).epsilon(0.001));
}

// Each tick stands for ten intervals: ten samples of one time, thread and stack.
TEST_CASE("diff: the copies of one tick are one draw") {
  const auto ticks = [](int one, int two, int copies) {
    RecordingBuilder builder;
    builder.simple_stack(1, "app/A", "one").simple_stack(2, "app/A", "two");
    for (int i = 0; i < one + two; ++i)
      for (int copy = 0; copy < copies; ++copy) builder.sample(1'000 + i * 1'000, i < one ? 1 : 2);
    return builder.bytes();
  };
  const auto text_of = [&](int copies) {
    const Workplace place;
    DiffOptions options;
    options.width = 120;
    options.before = {place.write("a.jfr", ticks(60, 60, copies)), place.write("b.jfr", ticks(50, 70, copies))};
    int code = -1;
    return place.output_of([&](Output& out) { return run_diff(options, out); }, code);
  };
  CHECK(has(text_of(10), "0 of 2 methods changed by more than chance"));
  CHECK(has(text_of(10), "1200 samples, worth 120 of one weight"));
  CHECK_FALSE(has(text_of(1), "worth"));
}

TEST_CASE("diff: several runs a side are told by how they differ among each other") {
  const Compared noisy = compared({}, {{500, 500}, {700, 300}}, {{600, 400}, {800, 200}});
  CHECK(has(noisy.text, "0 of 3 methods changed by more than chance"));
  CHECK(has(noisy.text, "and 1 more"));
  const Compared steady = compared({}, {{500, 500}, {502, 498}, {499, 501}}, {{600, 400}, {603, 397}, {601, 399}});
  CHECK(has(steady.text, "2 of 3 methods changed by more than chance"));
}

TEST_CASE("diff: what only as many comparisons make doubtful is maybe, and one run a side is said to be one") {
  const std::vector<std::vector<int>> before = {{500, 100, 100, 100, 200}}, after = {{500, 70, 103, 99, 228}};
  const std::string text = compared({}, before, after).text;
  CHECK(has(text, "0 of 6 methods"));
  CHECK(has(text, " maybe  app.M1.run\n"));
  CHECK(has(text, "  no  app.M2.run\n"));
  CHECK(has(text, "One run a side"));
  CHECK_FALSE(has(compared({}, {{500, 500}, {502, 498}}, {{600, 400}, {603, 397}}).text, "One run a side"));
}

TEST_CASE("diff --fail-if fails for what is beyond the limit and more than chance, and says which it was") {
  const std::vector<std::vector<int>> before = {{500, 500}}, after = {{600, 400}};
  const Compared failed = compared(fail_if("self(\"app.M0.*\") > +2 %"), before, after);
  CHECK(failed.code == kFound);
  CHECK(has(failed.text, "failed: self(\"app.M0.*\") > +2 %: it is +10.00 points"));
  CHECK(compared(fail_if("self(\"app.M0.*\") > 12 %"), before, after).code == kDone);
  CHECK(compared(fail_if("total(\"app.M1.*\") < -2"), before, after).code == kFound);
  CHECK(compared(fail_if("total(\"app.*\") > 0"), before, after).code == kDone);
  CHECK(compared(fail_if("total(\"app.Renamed.*\") > 0"), before, after).code == kUsageError);
  const Compared few = compared(fail_if("self(\"app.M0.*\") > +2 %"), {{10, 10}}, {{20, 5}});
  CHECK(few.code == kDone);
  CHECK(has(few.text, "by too few samples to tell"));
  const Compared chance = compared(fail_if("self(\"app.M0.*\") > 0 %"), {{500, 500}}, {{505, 495}});
  CHECK(chance.code == kDone);
  CHECK(has(chance.text, "which may be chance"));
}

TEST_CASE("diff --fail-if refuses what it does not understand") {
  for (const char* wrong :
       {"", "total", "total(\"\") > 1", "total(\"a\") > ", "total(\"a\") > x", "total(\"a\") = 1", "total(\"a\") > -1",
        "self(\"a\") < 1", "self(\"a\") > 1 % and more", "self(a) > 1", "self(\"a\") > 1e999"})
    CHECK_FALSE(FailIf::parse(wrong).ok());
  CHECK(compared(fail_if("nonsense"), {{1}}, {{1}}).code == kUsageError);
}

TEST_CASE("diff --json and --markdown have the interval and the word") {
  DiffOptions options;
  options.json = true;
  rapidjson::Document document;
  document.Parse(compared(options, {{500, 500}}, {{600, 400}}).text.c_str());
  REQUIRE_FALSE(document.HasParseError());
  const auto& method = document["methods"][0];
  CHECK(std::string(document["by"].GetString()) == "samples");
  CHECK(std::string(method["sure"].GetString()) == "yes");
  CHECK(method["selfInterval"]["low"].GetDouble() < method["selfPoints"].GetDouble());
  options.json = false;
  options.markdown = true;
  CHECK(has(compared(options, {{500, 500}}, {{600, 400}}).text, "| `app.M0.run` | 50.00 % | 60.00 % | +10.00 |"));
}

TEST_CASE("chance: a narrow terminal has the columns that are sorted by") {
  DiffOptions options;
  options.width = 80;
  const Compared self = compared(options, {{300, 700}}, {{500, 500}});
  CHECK(has(self.text, " self A%  self B%   change           95% self  sure  method\n"));
  options.sort = "total";
  CHECK(has(compared(options, {{300, 700}}, {{500, 500}}).text,
            "total A% total B%   change          95% total  sure  method\n"));
  options.width = 100;
  CHECK(has(compared(options, {{300, 700}}, {{500, 500}}).text,
            " self A%  self B%   change total A% total B%   change          95% total  sure  method\n"));
}

TEST_CASE("chance: --fail-if does not fail by a handful of samples, however many runs there are") {
  const Compared few = compared(fail_if("self(\"app.M0.*\") > 0"), {{0, 1000}, {0, 1000}}, {{2, 998}, {2, 998}});
  CHECK(few.code == kDone);
  CHECK(has(few.text, "by too few samples to tell"));
  CHECK(compared(fail_if("self(\"app.M0.*\") > 0"), {{0, 1000}, {0, 1000}}, {{20, 980}, {21, 979}}).code == kFound);
}

TEST_CASE("chance: runs that are alike to the sample differ by as much as their samples may, all the same") {
  const Compared alike = compared({}, {{6, 994}, {6, 994}}, {{8, 992}, {8, 992}});
  CHECK_MESSAGE(!has(alike.text, " yes "), alike.text);
  CHECK_MESSAGE(!has(alike.text, "maybe"), alike.text);
  CHECK(has(compared({}, {{100, 900}, {100, 900}}, {{300, 700}, {300, 700}}).text, " yes "));
}

TEST_CASE("chance: what is shown of several runs is their mean, however long each is") {
  const Compared longer =
      compared({}, {{300, 700}, {310, 690}, {290, 710}}, {{280, 720}, {320, 680}, {270, 730}, {6600, 13400}});
  CHECK_MESSAGE(has(longer.text, " +0.00 "), longer.text);
  CHECK_FALSE(has(longer.text, " +2.48 "));  // of all samples of B, 32.48 %
}

TEST_CASE("chance: --fail-if says what the table says") {
  const Compared several =
      compared(fail_if("self(\"app.M0.*\") > 0"), {{100, 300}, {200, 1900}}, {{300, 900}, {310, 600}});
  const size_t shown = several.text.find("app.M0.run");
  REQUIRE(shown != std::string::npos);
  CHECK_MESSAGE(has(several.text, "it is +12.27 points"), several.text);
  CHECK_MESSAGE(has(several.text, " +12.27 "), several.text);
  const Compared none = compared(fail_if("self(\"app.M0.*\") > 0"), {{600, 400}}, {{0, 0}});
  CHECK_MESSAGE(has(none.text, "it is -60.00 points"), none.text);
}

TEST_CASE("chance: a run counts once on its side, whatever it is called, and the words tell which side has but one") {
  CHECK(has(compared({}, {{300, 700}}, {{500, 500}, {490, 510}}).text, "One run of A:"));
  CHECK(has(compared({}, {{300, 700}, {310, 690}}, {{500, 500}}).text, "One run of B:"));
  CHECK(has(compared({}, {{300, 700}}, {{500, 500}}).text, "One run a side:"));
  const Workplace place;
  const std::string a = place.write("a.jfr", run_of({300, 700}).bytes()),
                    b = place.write("b.jfr", run_of({310, 690}).bytes());
  std::filesystem::create_hard_link(a, place.path("c.jfr"));
  CHECK(has(hear(place, {"diff", a, place.path("c.jfr"), "--after", b}).err, "is named twice on one side"));
  CHECK(hear(place, {"diff", a, a}).code == kDone);
}

TEST_CASE("chance: of several runs, one without samples is none") {
  const std::vector<std::vector<int>> before{{500, 500}, {510, 490}, {490, 510}},
      after{{600, 400}, {610, 390}, {590, 410}};
  std::vector<std::vector<int>> with_empty = after;
  with_empty.push_back({0, 0});
  const std::string text = compared({}, before, after).text, other = compared({}, before, with_empty).text;
  CHECK(text.substr(text.find("self A%")) == other.substr(other.find("self A%")));
}

}  // namespace test::chance
