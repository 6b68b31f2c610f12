// SPDX-License-Identifier: Apache-2.0
// Views: how rows are told apart and added up, how tables fit, what becomes of damage and of hostile names.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jrec/base/columns.h"
#include "jrec/view/live_recording.h"
#include "jrec/view/quantiles.h"
#include "jrec/view/table.h"
#include "jrec/view/tally.h"
#include "jrec/view/top_counts.h"
#include "jrec/view/view_command.h"
#include "jrec/view/view_list.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/made_events.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::RecordingBuilder;
using test::Workplace;

namespace {

// app.Main.work three times by weight 10, app.Main.idle once by 5.
Bytes program() {
  RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work").simple_stack(2, "app/Main", "idle");
  builder.sample(2000, 1, 10).sample(3000, 2, 5).sample(4000, 1, 10).next_chunk();
  builder.simple_stack(7, "app/Main", "work").sample(5000, 7, 10);
  return builder.bytes();
}

std::string view_of(const Bytes& recording, ViewOptions options, int expected = kDone) {
  const Workplace place;
  const test::Quiet quiet;
  options.words.push_back(place.write("a.jfr", recording));
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_view(options, out); }, code);
  CHECK(code == expected);
  return text;
}

ViewOptions asked(const std::vector<std::string>& names, bool json = true) {
  ViewOptions options;
  options.words = names;
  options.json = json;
  options.width = 80;
  return options;
}

Cell tally(Aggregate aggregate, const std::vector<int64_t>& values) {
  Tally tally;
  for (size_t i = 0; i < values.size(); ++i) tally.add(aggregate, Cell::of(values[i]), static_cast<int64_t>(i));
  return tally.result(aggregate);
}

// Rows of one text column and one number.
Rows rows_of(const std::vector<std::pair<std::string, int64_t>>& values, Content content) {
  Rows rows;
  rows.columns = {{"Name"}, {"Count"}};
  for (const auto& [text, number] : values) rows.rows.push_back({Cell::of_text(text, content), Cell::of(number)});
  return rows;
}

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    widest = std::max(widest, text_width(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return widest;
}

}  // namespace

TEST_CASE("a view adds up the rows of all chunks under one key") {
  CHECK(view_of(program(), asked({"hot-methods"})) ==
        "[\n{\"method\":\"app.Main.work\",\"samples\":30,\"percent\":0.8571428571428571},\n"
        "{\"method\":\"app.Main.idle\",\"samples\":5,\"percent\":0.14285714285714285}\n]\n");
}

TEST_CASE("rows beyond the limit still count in percent") {
  ViewOptions options = asked({"hot-methods"});
  options.rows = 1;
  CHECK(has(view_of(program(), options), "\"samples\":30,\"percent\":0.8571428571428571}\n]"));
}

TEST_CASE("--sort takes a part of a caption, a minus turns it round, and what is no column is refused") {
  ViewOptions options = asked({"hot-methods"});
  options.sort = "-samp";
  const std::string text = view_of(program(), options);
  CHECK(text.find("idle") < text.find("work"));
  options.sort = "colour";
  CHECK(view_of(program(), options, kUsageError).empty());
}

TEST_CASE("an event type is a view with a column for each field and a row for each event") {
  const std::string text = view_of(program(), asked({"ExecutionSample"}));
  CHECK(std::count(text.begin(), text.end(), '{') == 4);
  CHECK(has(text, "\"stackTrace\":\"app.Main.idle\""));
}

TEST_CASE("without a name the views that have events are listed, and the event types") {
  const std::string text = view_of(program(), asked({}, false));
  CHECK(has(text, "hot-methods"));
  CHECK(has(text, "jdk.ExecutionSample"));
  CHECK_FALSE(has(text, "gc-pauses"));
}

TEST_CASE("a view that is none is refused; one without events says so") {
  CHECK(view_of(program(), asked({"hot-metods"}), kUsageError).empty());
  CHECK(view_of(program(), asked({"gc-pauses"}, false)) == "No events found for 'GC Pauses'.\n");
  CHECK(view_of(program(), asked({"gc-pauses"})) == "[\n]\n");
}

TEST_CASE("filters choose the events of a view") {
  ViewOptions options = asked({"hot-methods"});
  options.filter.exclude = "idle";
  CHECK_FALSE(has(view_of(program(), options), "idle"));
}

TEST_CASE("damage: a recording cut inside its last chunk shows the rows of what is left") {
  Bytes bytes = program();
  bytes.resize(bytes.size() - 3);
  CHECK(has(view_of(bytes, asked({"hot-methods"}), kDamaged), "\"method\":\"app.Main.idle\",\"samples\":5"));
}

TEST_CASE("damage: a file that is no recording is not readable") {
  view_of(Bytes(200, 'x'), asked({"all-views"}), kNothingReadable);
}

TEST_CASE("names with control characters do not reach the terminal") {
  RecordingBuilder builder;
  builder.simple_stack(1, "app/\x1b[2J", "a\nb").sample(2000, 1);
  const std::string text = view_of(builder.bytes(), asked({"hot-methods"}, false));
  CHECK(has(text, "\\x1b[2J"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "a\nb"));
}

TEST_CASE("a quantile stands in place share * (n + 1), between two values in proportion") {
  CHECK(tally(Aggregate::kP95, {62, 103}).integer == 103);
  CHECK(tally(Aggregate::kMedian, {3, 1, 2}).integer == 2);
  CHECK(tally(Aggregate::kP90, {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}).integer == 99);
}

TEST_CASE("quantiles of very many values are less than 0.4% off, negative ones too") {
  Quantiles quantiles;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) quantiles.add(i - kCount / 4);
  CHECK(quantiles.at(0.9) == doctest::Approx(0.65 * kCount).epsilon(0.004));
  CHECK(quantiles.at(0.1) == doctest::Approx(-0.15 * kCount).epsilon(0.004));
}

TEST_CASE("whole numbers stay exact beyond what a double, and what a long can hold") {
  constexpr int64_t kOdd = (int64_t{1} << 53) + 1;  // the first that a double does not have
  CHECK(show(tally(Aggregate::kSum, {INT64_MAX, 5}), 0) == "9,223,372,036,854,775,812");
  CHECK(show(tally(Aggregate::kSum, {INT64_MIN, -5}), 0) == "-9,223,372,036,854,775,813");
  CHECK(tally(Aggregate::kDiff, {INT64_MIN, INT64_MAX}).integer == Whole{UINT64_MAX});
  CHECK(tally(Aggregate::kMedian, {kOdd, kOdd, kOdd}).integer == kOdd);
  CHECK(tally(Aggregate::kMax, {kOdd, kOdd - 1}).integer == kOdd);
  CHECK(show(Cell::of(UINT64_MAX), 0) == "18,446,744,073,709,551,615");
  CHECK(Cell::of(UINT64_MAX - 1) < Cell::of(UINT64_MAX));
  CHECK(Cell::of(UINT64_MAX - 1).identity() != Cell::of(UINT64_MAX).identity());
  std::string json;
  show_json(Cell::of(UINT64_MAX), 0, json);
  CHECK(json == "18446744073709551615");
  CHECK(tally(Aggregate::kAverage, {INT64_MAX, INT64_MAX}).real == doctest::Approx(9.223372036854775807e18));
}

TEST_CASE("first, last and difference go by time, not by order") {
  Tally first, last, difference, share;
  for (const int64_t at : {30, 10, 20}) {
    first.add(Aggregate::kFirst, Cell::of(at * 100), at);
    last.add(Aggregate::kLast, Cell::of(at * 100), at);
    share.add(Aggregate::kShareOfLast, Cell::of(at * 100), at);
    difference.add(Aggregate::kDiff, Cell::of(at * 100), at);
  }
  CHECK(first.result(Aggregate::kFirst).integer == 1000);
  CHECK(last.result(Aggregate::kLast).integer == 3000);
  CHECK(share.result(Aggregate::kShareOfLast).integer == 3000);  // and not the sum
  CHECK(difference.result(Aggregate::kDiff).integer == 2000);
}

TEST_CASE("of times the difference is the whole span, also where what ended last has begun early") {
  Tally span;
  for (const auto& [begin_ns, end_ns] : {std::pair{100, 110}, {300, 310}, {200, 400}})
    span.add(Aggregate::kDiff, Cell::of(Whole{begin_ns}, Content::kTime), end_ns, static_cast<uint32_t>(begin_ns));
  CHECK(span.result(Aggregate::kDiff).integer == 200);
  CHECK(span.result(Aggregate::kDiff).content == Content::kSpan);
}

TEST_CASE("a table is never wider than asked, and numbers are never cut") {
  const Rows rows =
      rows_of({{"org.example.very.long.package.name.Klass.method(int, String)", 123456789}, {std::string(300, 'x'), 1}},
              Content::kCode);
  for (size_t width = 24; width < 100; ++width) {
    std::string text;
    append_table({.title = "T"}, rows, {.width = width}, text);
    CHECK(widest_line(text) <= width);
    CHECK(has(text, "123,456,789"));
  }
}

TEST_CASE("columns that do not fit are left out and counted") {
  Rows rows;
  rows.rows.emplace_back();
  for (int i = 0; i < 8; ++i) {
    rows.columns.push_back({"Number" + std::to_string(i)});
    rows.rows[0].push_back(Cell::of(1'000'000 + i));
  }
  std::string text;
  append_table({.title = "T"}, rows, {.width = 40}, text);
  CHECK(has(text, "(4 more columns"));
  CHECK_FALSE(has(text, "Number4"));
}

TEST_CASE("code loses its parameters, then its beginning; other texts lose their end") {
  CHECK(shortened("a.b.Klass.method(int, long)", 21, true, Truncate::kByContent) == "a.b.Klass.method(...)");
  CHECK(shortened("a.b.Klass.method(int, long)", 16, true, Truncate::kByContent) == "...s.method(...)");
  CHECK(shortened("some long text", 10, false, Truncate::kByContent) == "some lo...");
  CHECK(shortened("some long text", 10, false, Truncate::kBeginning) == "...ng text");
  CHECK(shortened("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 4, false, Truncate::kByContent) ==
        "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f");
}

TEST_CASE("numbers are shown with their units, and in JSON without") {
  CHECK(show(Cell::of(1234567), 0) == "1,234,567");
  CHECK(show(Cell::of(-1234), 0) == "-1,234");
  CHECK(show(Cell::of(12'300'000, Content::kSpan), 0) == "12.3 ms");
  CHECK(show(Cell::of(INT64_MAX, Content::kSpan), 0) == "Indefinite");
  CHECK(show(Cell::of_real(0.05, Content::kShare), 0) == "5.00%");
  CHECK(show(Cell(), 0) == "N/A");
  std::string json;
  show_json(Cell::of(12'300'000, Content::kSpan), 0, json);
  show_json(Cell::of_real(std::numeric_limits<double>::quiet_NaN()), 0, json);
  CHECK(json == "12300000null");
}

TEST_CASE("captions become names of JSON, each of them once") {
  Rows rows;
  rows.columns = {{"GC ID"}, {"Max. Duration"}, {"stackTrace"}, {"P99.9"}, {"max duration"}};
  rows.rows = {{Cell::of(1), Cell::of(2), Cell::of(3), Cell::of(4), Cell::of(5)}};
  std::string json;
  append_json_rows(rows, json);
  CHECK(json == "[\n{\"gcId\":1,\"maxDuration\":2,\"stackTrace\":3,\"p999\":4,\"maxDuration2\":5}\n]");
}

TEST_CASE("each view has a name, a title, a line for the list, and an order among its columns") {
  std::set<std::string> names;
  std::string last;
  for (const View& view : all_views()) {
    CAPTURE(view.name);
    CHECK(!view.title.empty());
    CHECK(!view.what.empty());
    CHECK(!view.columns.empty());
    CHECK(view.order < static_cast<int>(view.columns.size()));
    if (view.name != last) CHECK(names.insert(view.name).second);  // alternatives stand together
    last = view.name;
  }
}

TEST_CASE("a live recording hands out each event once, while its file grows") {
  const Workplace place;
  RecordingBuilder builder;
  builder.simple_stack(1, "app/Main", "work").sample(2000, 1, 10).sample(3000, 1, 10);
  const std::string path = place.write("1.jfr", builder.bytes());
  LiveRecording live;
  REQUIRE(live.find(path));
  TopCounts counts;
  const auto add = [&](jfr::read::Chunk& chunk, const std::vector<jfr::read::Event>& events) {
    counts.add(chunk, events);
  };
  CHECK(live.poll(add));
  CHECK(counts.samples().total == 20);
  counts.next_window();
  CHECK(live.poll(add));
  CHECK(counts.samples().total == 20);
  RecordingBuilder longer;
  longer.simple_stack(1, "app/Main", "work").sample(2000, 1, 10).sample(3000, 1, 10).next_chunk();
  longer.simple_stack(3, "app/Main", "idle").sample(4000, 3, 7);
  place.write("1.jfr", longer.bytes());
  CHECK(live.poll(add));
  CHECK(counts.samples().total == 27);
  CHECK(counts.samples().window == 7);
  CHECK(*counts.hottest(1, {})[0].first == "app.Main.idle");
}

TEST_CASE("top counts the samples of one sampler: those of CPU time where there are no others") {
  const auto total_of = [](const Bytes& file) {
    const Workplace place;
    LiveRecording live;
    REQUIRE(live.find(place.write("1.jfr", file)));
    TopCounts counts;
    CHECK(live.poll(
        [&](jfr::read::Chunk& chunk, const std::vector<jfr::read::Event>& events) { counts.add(chunk, events); }));
    return counts.samples().total;
  };
  test::MadeEvents both, alone;
  for (test::MadeEvents* made : {&both, &alone})
    for (int i = 0; i < 3; ++i)
      made->add("jdk.CPUTimeSample", i,
                {{"stackTrace", test::made::stack({"app.Main.work"})}, {"failed", test::made::whole(0)}});
  both.samples(10, {"app.Main.work"});
  CHECK(total_of(both.bytes()) == 10);
  CHECK(total_of(alone.bytes()) == 3);
}

TEST_CASE("a live recording goes on in the next file of its directory, and ends with the directory") {
  const Workplace place;
  const std::string directory = place.path("chunks");
  std::filesystem::create_directory(directory);
  const auto sample = [&](const std::string& name, int weight) {
    RecordingBuilder builder;
    builder.simple_stack(1, "app/Main", "work").sample(2000, 1, weight);
    place.write("chunks/" + name, builder.bytes());
  };
  sample("1.jfr", 1);
  sample("2.jfr", 2);
  LiveRecording live;
  REQUIRE(live.find(directory));
  TopCounts counts;
  const auto add = [&](jfr::read::Chunk& chunk, const std::vector<jfr::read::Event>& events) {
    counts.add(chunk, events);
  };
  CHECK(live.poll(add));
  CHECK(counts.samples().total == 2);  // older files are past
  sample("3.jfr", 4);
  sample(".4.jfr", 8);  // in the making
  CHECK(live.poll(add));
  CHECK(counts.samples().total == 6);
  std::filesystem::remove_all(directory);
  CHECK_FALSE(live.poll(add));
}

TEST_CASE("damage: a live file that is no recording is passed over") {
  const Workplace place;
  const std::string path = place.write("x.jfr", Bytes(100, 0));
  LiveRecording live;
  REQUIRE(live.find(path));
  CHECK(live.poll([](jfr::read::Chunk&, const std::vector<jfr::read::Event>&) { FAIL("an event of nothing"); }));
  LiveRecording none;
  CHECK_FALSE(none.find(place.path("nothing")));
}
