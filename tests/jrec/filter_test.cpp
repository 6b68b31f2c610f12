// SPDX-License-Identifier: Apache-2.0
// The filter that all commands share: event names, threads, times, frames, expressions.
#include "jrec/select/filter.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "jrec/print/print.h"
#include "jrec/profile/collapsed.h"
#include "jrec/select/event_names.h"
#include "jrec/select/regex.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"

using namespace jrec;
using test::Bytes;
using test::RecordingBuilder;
using test::Workplace;

namespace {

constexpr int64_t kStart_ns = 1'700'000'000'000'000'000;  // of the builder's chunks; ticks are nanoseconds, from 1000
constexpr RecordingSpan kSpan{kStart_ns, kStart_ns + 2'000'000'000, 3600};

// The first number of each event that passes.
std::vector<int> passing(const Bytes& recording, const FilterOptions& filter, int expected = kDone,
                         const std::string& kind = "") {
  const Workplace place;
  PrintOptions options;
  options.files = {place.write("a.jfr", recording)};
  options.format = PrintFormat::kJsonLines;
  options.filter = filter;
  options.kind = kind;
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_print(options, out); }, code);
  CHECK(code == expected);
  std::vector<int> starts;
  const std::string key = "\"startTime\":";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1))
    starts.push_back(std::stoi(text.substr(at + key.size())));
  return starts;
}

std::vector<int> kind(const Bytes& recording, const std::string& event) { return passing(recording, {}, kDone, event); }

std::vector<int> where(const Bytes& recording, const std::string& expression, int expected = kDone) {
  FilterOptions filter;
  filter.where = expression;
  return passing(recording, filter, expected);
}

std::string refusal(const std::string& expression) {
  const base::Result<Expression> parsed = Expression::parse(expression);
  return parsed ? "" : parsed.error().what;
}

int64_t moment(const std::string& words, const RecordingSpan& span = kSpan) {
  const base::Result<int64_t> parsed = parse_moment(words, span);
  REQUIRE(parsed.ok());
  return parsed.value() - span.start_ns;
}

// work() calls leaf(), idle() sleeps; at 1, 2, 3 ms behind 1000 ticks.
Bytes sampled_program() {
  RecordingBuilder builder;
  builder.symbol(1, "app/Main").symbol(2, "work").symbol(3, "leaf").symbol(4, "idle").klass(1, 1);
  builder.method(1, 1, 2).method(2, 1, 3).method(3, 1, 4);
  builder.stack(1, {{2, 9}, {1, 5}}).stack(2, {{3, 5}});
  return builder.sample(1'001'000, 1, 10).sample(2'001'000, 2, 20).sample(3'001'000, 0, 30).bytes();
}

using Ints = std::vector<int>;

constexpr int kFirst = 1'001'000, kSecond = 2'001'000, kThird = 3'001'000;

}  // namespace

TEST_CASE("--where compares numbers, and units and hex are numbers too") {
  CHECK(where(sampled_program(), "weight > 10") == Ints{kSecond, kThird});
  CHECK(where(sampled_program(), "weight>=10 and weight<0x1e") == Ints{kFirst, kSecond});
  CHECK(where(sampled_program(), "weight = 20 or weight == 30B") == Ints{kSecond, kThird});
  CHECK(where(sampled_program(), "weight != 20") == Ints{kFirst, kThird});
  CHECK(where(sampled_program(), "startTime > 2ms && !(weight = 30)") == Ints{kSecond});
}

TEST_CASE("--where compares a field of less precision with what was typed, and not with what lies beside it") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder({{Builder::kMore,
                             "my.Load",
                             {{"startTime", Builder::kLong}, {"load", Builder::kFloat}, {"real", Builder::kDouble}}}});
  Bytes event;
  Builder::leb(event, 5);
  for (const uint8_t byte : {0x3e, 0xc5, 0x1e, 0xb8}) event.push_back(byte);                          // 0.385F
  for (const uint8_t byte : {0x3f, 0xe2, 0x3d, 0x70, 0xa3, 0xd7, 0x0a, 0x3d}) event.push_back(byte);  // 0.57
  const Bytes file = builder.other(Builder::kMore, event).bytes();
  for (const char* passes :
       {"load = 38.5%", "load = 0.385", "load >= 38.5%", "load <= 0.385", "load < 1e300", "real = 57%"})
    CHECK_MESSAGE(where(file, passes) == Ints{5}, passes);
  for (const char* fails : {"load > 38.5%", "load < 0.385", "load != 0.385", "load = 0.3850001", "load > 1e300"})
    CHECK_MESSAGE(where(file, fails) == Ints{}, fails);
}

TEST_CASE("--where takes milliseconds since the epoch as a time, and refuses a smaller number with words") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder(
      {{Builder::kMore,
        "my.Order",
        {{"startTime", Builder::kLong}, {"at", Builder::kLong, false, false, Builder::kTimestamp}}}});
  Bytes event;
  Builder::leb(event, 5);
  Builder::leb(event, 1000 + 50'000'000);
  const Bytes file = builder.other(Builder::kMore, event).bytes();
  CHECK(where(file, "at = 1700000000050 and at > 1700000000049 and at != 1700000000051") == Ints{5});
  CHECK(where(file, "at > 1700000000050") == Ints{});
  CHECK(where(file, "at = 2023-11-14T22:13:20.05Z") == Ints{5});
  for (const char* no_time : {"at > 1500", "at > 2ms", "at > 0x7fffffffffff", "at < -1500", "at != 1700000000.5"})
    CHECK_MESSAGE(where(file, no_time, kUsageError) == Ints{}, no_time);
}

TEST_CASE("--where takes what begins with its parent, as a group of threads does, by its name") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder(
      {{Builder::kMore, "my.Group", {{"parent", Builder::kMore, true}, {"name", Builder::kString}}},
       {Builder::kMore + 1, "my.Start", {{"startTime", Builder::kLong}, {"group", Builder::kMore}}}});
  Bytes event;
  Builder::leb(event, 5);
  for (const int byte : {0, 3, 4, 0x6d, 0x61, 0x69, 0x6e}) event.push_back(static_cast<uint8_t>(byte));  // main
  const Bytes file = builder.other(Builder::kMore + 1, event).bytes();
  CHECK(where(file, "group = main and group ~ '^m' and group.name = main and group") == Ints{5});
  CHECK(where(file, "group != main or group = 'system'") == Ints{});
}

TEST_CASE("--where says what no event can pass: a field that none has, and a number beside a text that is none") {
  CHECK(where(sampled_program(), "wait > 1 or weight = 10", kUsageError) == Ints{kFirst});
  CHECK(where(sampled_program(), "weight > lots or weight = 10", kUsageError) == Ints{kFirst});
  CHECK(where(sampled_program(), "weight ~ '^1'") == Ints{kFirst});
}

TEST_CASE("--where refuses a unit that is none of the field's, and compares bits with bytes") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder({{Builder::kMore,
                             "my.Copy",
                             {{"startTime", Builder::kLong},
                              {"took", Builder::kLong, false, false, Builder::kTimespan},
                              {"size", Builder::kLong, false, false, Builder::kBits},
                              {"done", Builder::kBoolean},
                              {"real", Builder::kDouble}}}});
  const auto copy = [&](uint64_t at, uint64_t took, uint64_t bits) {
    Bytes event;
    for (const uint64_t number : {at, took, bits}) Builder::leb(event, number);
    event.resize(event.size() + 1 + 8);
    builder.other(Builder::kMore, event);
  };
  copy(5, 2'000'000, 8 << 20), copy(6, 3'000'000, 1 << 20), copy(7, uint64_t{1} << 63, 9 << 20);
  const Bytes file = builder.bytes();
  CHECK(where(file, "size >= 1MB") == Ints{5, 7});
  CHECK(where(file, "size = 8388608") == Ints{5});
  CHECK(where(file, "took > 2.5ms") == Ints{6});
  CHECK(where(file, "took = null") == Ints{7});
  CHECK(where(file, "took < 0 or took != 2ms") == Ints{6});
  CHECK(where(file, "done = false and done = 0 and not done") == Ints{5, 6, 7});
  for (const char* never : {"took > 1MB", "took = 5%", "took = true", "size > 5ms", "size > 5%", "done > 0", "done = 2",
                            "done = yes", "real = true", "took > long"})
    CHECK_MESSAGE(where(file, never, kUsageError) == Ints{}, never);
}

TEST_CASE("--where compares a character with one, and not with a number or a pattern") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder(
      {{Builder::kMore, "my.Letter", {{"startTime", Builder::kLong}, {"letter", Builder::kChar}}}});
  for (const uint64_t letter : {'a', '5', '*', '\0'}) {
    Bytes event;
    Builder::leb(event, letter == 0 ? 1 : letter), Builder::leb(event, letter);
    builder.other(Builder::kMore, event);
  }
  const Bytes file = builder.bytes();
  CHECK(where(file, "letter = a or letter = 5") == Ints{'5', 'a'});
  CHECK(where(file, "letter = '*'") == Ints{'*'});
  CHECK(where(file, "letter != '?' and letter") == Ints{'*', '5', 'a'});
  CHECK(where(file, "letter < '6'") == Ints{1, '*', '5'});
  CHECK(where(file, "letter ~ '[a-z]'") == Ints{'a'});
  CHECK(where(file, "letter !~ '[a-z]' and not letter") == Ints{1});
  for (const char* never : {"letter = 97", "letter < 100", "letter > 5ms", "letter = true", "letter = ab"})
    CHECK_MESSAGE(where(file, never, kUsageError) == Ints{}, never);
}

TEST_CASE("--where says what a field is where it is never what is written beside it, and which name is near") {
  const auto told = [](const std::string& expression, const jfr::read::Field& field) {
    jfr::read::Type type;
    type.fields = {field};
    Expression parsed = std::move(*Expression::parse(expression));
    parsed.meet(type, jfr::read::Metadata());
    const std::vector<std::string> tests = parsed.what_never_holds();
    return tests.empty() ? "" : tests.front();
  };
  jfr::read::Field duration, text;
  duration.name = "duration", duration.kind = jfr::read::Kind::kLong;
  duration.meaning = jfr::read::Meaning::kTimespanNanos;
  text.name = "text", text.kind = jfr::read::Kind::kString;
  CHECK(told("duration > 1MB", duration) == "duration is a duration, and '1MB' is none");
  CHECK(told("duration > 1ms or duration > 5", duration) == "");
  CHECK(told("durtion > 1ms", duration) == "no event that was selected has a field durtion; did you mean duration?");
  CHECK(told("unlike > 1ms", duration) == "no event that was selected has a field unlike");
  CHECK(told("text > 5", text) == "text is no number, and cannot be more or less than '5'");
  CHECK(told("text = 5 and text > 'a'", text) == "");
}

TEST_CASE("--event takes a short name for the types behind it, and any other word as a type") {
  CHECK(event_types_for("cpu").front() == "jdk.ExecutionSample");
  CHECK(event_types_for("my.Event") == std::vector<std::string_view>{"my.Event"});
  const Bytes file = RecordingBuilder().text(1, "a").sample(2, 0).loss(3, 5).bytes();
  CHECK(kind(file, "cpu") == Ints{2});
  CHECK(kind(file, "test.Text") == Ints{1});
  CHECK(kind(file, "DataLoss") == Ints{3});
  CHECK(kind(file, "gc").empty());
}

TEST_CASE("short names of events are told apart, and lead to types") {
  std::set<std::string_view> names;
  for (const EventName& known : event_names()) {
    CHECK_MESSAGE(names.insert(known.name).second, known.name);
    for (const std::string_view type : known.types) CHECK(type.find('.') != std::string_view::npos);
    CHECK(event_name_list().find(known.name) != std::string_view::npos);
  }
}

TEST_CASE("--where binds not before and before or") {
  CHECK(where(sampled_program(), "weight = 10 or weight = 20 and weight = 30") == Ints{kFirst});
  CHECK(where(sampled_program(), "(weight = 10 or weight = 20) and not weight = 10") == Ints{kSecond});
}

TEST_CASE("--where compares texts exactly, as a glob, and by regular expression") {
  const Bytes file = RecordingBuilder().text(1, "alpha").text(2, "beta").text(3, "al*ha").bytes();
  CHECK(where(file, "text = alpha") == Ints{1});
  CHECK(where(file, "text != 'alpha'") == Ints{2, 3});
  CHECK(where(file, "text = \"al*\"") == Ints{1, 3});
  CHECK(where(file, "text ~ '^(al|b)'") == Ints{1, 2, 3});
  CHECK(where(file, "text !~ 'ph'") == Ints{2, 3});
  CHECK(where(file, "text < b") == Ints{1, 3});
  CHECK(where(file, "text") == Ints{1, 2, 3});
}

TEST_CASE("--where looks through all frames of a stack, and null is neither equal nor unequal to a text") {
  CHECK(where(sampled_program(), "stackTrace = 'app.Main.work'") == Ints{kFirst});
  CHECK(where(sampled_program(), "stackTrace ~ 'Main'") == Ints{kFirst, kSecond});
  CHECK(where(sampled_program(), "stackTrace != 'app.Main.work'") == Ints{kSecond});
  CHECK(where(sampled_program(), "stackTrace = null") == Ints{kThird});
  CHECK(where(sampled_program(), "stackTrace != null and not stackTrace.truncated") == Ints{kFirst, kSecond});
}

TEST_CASE("--where finds texts that are null, which empty ones are not") {
  const Bytes null = {4, 0}, empty = {5, 1};  // a time, and how the text is written
  const Bytes file = RecordingBuilder()
                         .text(1, "x")
                         .other(RecordingBuilder::kText, null)
                         .other(RecordingBuilder::kText, empty)
                         .bytes();
  CHECK(where(file, "text = null") == Ints{4});
  CHECK(where(file, "text != null") == Ints{1, 5});
  CHECK(where(file, "text = ''") == Ints{5});
  CHECK(where(file, "text != x") == Ints{5});
}

TEST_CASE("--where says which field nothing has") {
  CHECK(where(sampled_program(), "wieght > 1", kUsageError).empty());
  CHECK(where(sampled_program(), "stackTrace.nothing", kUsageError).empty());
  CHECK(where(sampled_program(), "weight = 10 and weight = 11").empty());
}

TEST_CASE("a --where that is none is refused, with the place") {
  CHECK(refusal("weight >") == "--where: expected a value, and here is the end at character 9: weight > >>> ");
  CHECK(refusal("weight > 5 weight").starts_with("--where: expected 'and', 'or' or the end at character 12"));
  CHECK(refusal("(weight").find("expected ')'") != std::string::npos);
  CHECK(refusal("").find("expected a field") != std::string::npos);
  CHECK(refusal("a = 'x").find("not closed at character 5") != std::string::npos);
  CHECK(refusal("a > 5parsecs").find("unknown unit 'parsecs'") != std::string::npos);
  CHECK(refusal("a ~ '('").find("no regular expression") != std::string::npos);
  CHECK(refusal("a ~ '(a)\\1'").find("no regular expression") != std::string::npos);
  CHECK(refusal("a. = 1").find("expected a field") != std::string::npos);
  CHECK(refusal(std::string(1000, '(')).find("too many parentheses") != std::string::npos);
  CHECK(refusal(std::string(100'000, 'a')).find("too long") != std::string::npos);
  CHECK(refusal("not (a.b.c >= -1.5ms or b !~ x) && c") == "");
}

TEST_CASE("damage: an expression that repeats what is repeated neither grows nor hangs") {
  CHECK(refusal("a ~ '((a{1000}){1000}){1000}'").find("no regular expression") != std::string::npos);
  CHECK(refusal("a ~ '" + std::string(1000, '+') + "'").find("no regular expression") != std::string::npos);
  const auto nested = Regex::compile("(a|aa|a?)*(a|aa|a?)*b");
  REQUIRE(nested);
  CHECK_FALSE(nested.value()->found_in(std::string(100'000, 'a')));
  CHECK(nested.value()->found_in(std::string(100'000, 'a') + "b"));
}

TEST_CASE("-I and -X look at every frame; without a stack nothing is included and nothing excluded") {
  FilterOptions include, exclude;
  include.include = "work|leaf";
  exclude.exclude = "\\.work$";
  CHECK(passing(sampled_program(), include) == Ints{kFirst});
  CHECK(passing(sampled_program(), exclude) == Ints{kSecond, kThird});
  include.include = "(";
  CHECK(passing(sampled_program(), include, kUsageError).empty());
}

TEST_CASE("--from and --to count from the start, from the end, and by the clock") {
  FilterOptions filter;
  filter.from = "2";
  CHECK(passing(sampled_program(), filter) == Ints{kSecond, kThird});
  filter.to = "3ms";
  CHECK(passing(sampled_program(), filter) == Ints{kSecond});
  filter.from = "2023-11-14T22:13:20.003Z", filter.to = "";
  CHECK(passing(sampled_program(), filter) == Ints{kThird});
  filter.from = "-1s";
  CHECK(passing(sampled_program(), filter).empty());
  filter.from = "5s", filter.to = "1s";
  CHECK(passing(sampled_program(), filter, kUsageError).empty());
}

TEST_CASE("a moment is written in milliseconds, with units, as time of day, or as ISO 8601") {
  CHECK(moment("1500") == 1'500'000'000);
  CHECK(moment("1.5s") == 1'500'000'000);
  CHECK(moment("2m") == 120'000'000'000);
  CHECK(moment("-500") == 1'500'000'000);
  CHECK(moment("-1.5s") == 500'000'000);
  CHECK(moment("1700000000250") == 250'000'000);
  CHECK(moment("2023-11-14T22:13:21Z") == 1'000'000'000);
  CHECK(moment("2023-11-14T23:13:21.5+01:00") == 1'500'000'000);
  CHECK(moment("2023-11-14T23:13:21") == 1'000'000'000);  // the recording's zone
  CHECK(moment("23:13:21.25") == 1'250'000'000);
  CHECK(moment("22:13:21.25Z") == 1'250'000'000);
  CHECK(moment("03:43:21+05:30") == 1'000'000'000);
  CHECK(moment("2024-02-29T00:00:00Z") - moment("2024-02-28T00:00:00Z") == int64_t{86'400} * 1'000'000'000);
  CHECK(moment("2023-11-15") == int64_t{46 * 60 + 40} * 1'000'000'000);
}

TEST_CASE("a time of day after midnight is on the next day of a recording that runs so long") {
  const RecordingSpan night{kStart_ns, kStart_ns + 3600 * int64_t{4'000'000'000}, 3600};
  CHECK(moment("00:13:20", night) == 3600 * int64_t{1'000'000'000});
  CHECK(moment("22:13:20", night) == -3600 * int64_t{1'000'000'000});
}

TEST_CASE("a time of day outside of the recording is the nearest, and an end is behind its beginning") {
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  const RecordingSpan night{kStart_ns, kStart_ns + kHour, 3600};  // 23:13:20 to 00:13:20
  CHECK(moment("00:30:00", night) == kHour + 1000 * int64_t{1'000'000'000});
  CHECK(moment("12:00:00", night) == -kHour * 11 - 800 * int64_t{1'000'000'000});
  const RecordingSpan days{kStart_ns, kStart_ns + 72 * kHour, 3600};
  const auto range = time_choice("23:30", "23:20").choose(days);
  REQUIRE(range.ok());
  CHECK(range->to_ns - range->from_ns == 24 * kHour - 600 * int64_t{1'000'000'000});
  CHECK_FALSE(time_choice("23:30", "23:20").choose(kSpan).ok());
}

TEST_CASE("what is no moment is refused") {
  for (const char* words : {"yesterday", "12:75", "2023-13-01", "5 parsecs", "1e400", "9999999999999999999999",
                            "99999999999999", "", ":", "2023-11-14T22:13:21+99:00", "--5", "nan", "inf", "2023-02-29",
                            "2023-11-31T00:00", "1900-02-29", "2023-11-00", "2023-00-10"})
    CHECK_MESSAGE(!parse_moment(words, kSpan).ok(), words);
}

TEST_CASE("collapsed takes the same filter, and writes lines and simple names when asked to") {
  const Workplace place;
  CollapsedOptions options;
  options.files = {place.write("a.jfr", sampled_program())};
  options.profile.filter.include = "leaf";
  int code = -1;
  const auto run = [&] { return place.output_of([&](Output& out) { return run_collapsed(options, out); }, code); };
  CHECK(run() == "app.Main.work;app.Main.leaf 10\n");
  options.profile.frames.lines = true;
  CHECK(run() == "app.Main.work:5;app.Main.leaf:9 10\n");
  options.profile.frames.simple = true;
  CHECK(run() == "Main.work:5;Main.leaf:9 10\n");
  options.profile.filter.where = "weight > 10 and";
  CHECK(run().empty());
  CHECK(code == kUsageError);
}
