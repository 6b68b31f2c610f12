// SPDX-License-Identifier: Apache-2.0
// jrec sql: tables over recordings and archives, read in place.
#include <doctest/doctest.h>

#include <string>

#include "jrec/archive/archive_add.h"
#include "jrec/sql/sql_command.h"
#include "jrec/sql/sql_examples.h"
#include "jrec/view/view_command.h"
#include "tests/format/reader_builder.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::MadeEvents;
using test::occurrences;
using test::RecordingBuilder;
using test::Workplace;
namespace made = test::made;

namespace {

// Chunk 1: three samples of a/B.c and one of a/D.e; chunk 2: one more of a/B.c.
Bytes two_chunks() {
  RecordingBuilder builder;
  builder.frame_type(1, "JIT compiled").simple_stack(1, "a/B", "c").simple_stack(2, "a/D", "e");
  for (int i = 0; i < 3; ++i) builder.sample(1'000 + i, 1, 10);
  builder.sample(2'000, 2, 5);
  builder.next_chunk();
  builder.frame_type(1, "JIT compiled").simple_stack(7, "a/B", "c");
  builder.sample(3'000, 7, 1);
  return builder.bytes();
}

struct Answer {
  int code = 0;
  std::string csv;
};

Answer ask(const Workplace& place, std::vector<std::string> inputs, const std::string& query) {
  SqlOptions options;
  options.words = std::move(inputs);
  options.words.push_back(query);
  options.csv = true;
  Answer answer;
  answer.csv = place.output_of([&](Output& out) { return run_sql(options, out); }, answer.code);
  return answer;
}

TEST_CASE("sql: samples are grouped by what is on top of their stacks, over chunks") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  CHECK(ask(place, {file}, "select top, count(*), sum(weight) from samples group by top order by top").csv ==
        "top,count(*),sum(weight)\na.B.c,4,31\na.D.e,1,5\n");
  CHECK(ask(place, {file}, "select count(distinct stack) from samples").csv == "count(distinct stack)\n2\n");
  CHECK(ask(place, {file}, "select sum(chunks) from recordings").csv == "sum(chunks)\n2\n");
  CHECK(ask(place, {file}, "select type, sum(events) from event_types where type like '%Sample' group by type").csv ==
        "type,sum(events)\njdk.ExecutionSample,5\n");
}

TEST_CASE("sql: what is no text is shown as one, and json_each makes rows") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  CHECK(ask(place, {file}, "select x'00ff' as a, cast(x'ff' as text) as b").csv == "a,b\nX'00FF',\xef\xbf\xbd\n");
  CHECK(ask(place, {file}, "select sum(value) as n from json_each('[1,2]')").csv == "n\n3\n");
}

TEST_CASE("sql: a stranger's query ends with its time, and its texts are bounded") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const auto code_of = [&](const std::string& query) {
    SqlOptions options;
    options.words = {file, query};
    options.limit = std::chrono::milliseconds(200);
    int code = 0;
    place.output_of([&](Output& out) { return run_sql(options, out); }, code);
    return code;
  };
  CHECK(code_of("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n") ==
        kUsageError);
  CHECK(code_of("select length(zeroblob(200000000))") == kUsageError);
  CHECK(code_of("select count(*) from samples") == kDone);
}

TEST_CASE("sql: a stack has the same number in every recording, so that tables can be joined") {
  const Workplace place;
  const std::string a = place.write("a.jfr", two_chunks()), b = place.write("b.jfr", two_chunks());
  CHECK(ask(place, {a, b}, "select count(*) from stacks").csv == "count(*)\n2\n");
  CHECK(ask(place, {a, b},
            "select f.method, count(*) from samples s join frames f using (stack) where f.level = 0 group by 1 order "
            "by 1")
            .csv == "method,count(*)\na.B.c,8\na.D.e,2\n");
  CHECK(ask(place, {a, b}, "select s.recording, t.text from samples s join stacks t using (stack) where s.weight = 5")
            .csv == "recording,text\n1,a.D.e\n2,a.D.e\n");
  CHECK(ask(place, {a, b}, "select count(*) from samples where recording = 2").csv == "count(*)\n5\n");
  CHECK(ask(place, {a}, "select count(*) from frames where stack = 12345").csv == "count(*)\n0\n");
}

TEST_CASE("sql: an event type is a table with a column for each field") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const Answer all =
      ask(place, {file}, "select * from events_jdk_ExecutionSample where startTime > 0 order by startTime limit 1");
  CHECK(all.code == kDone);
  CHECK(has(all.csv, "recording,startTime,"));
  CHECK(has(all.csv, "a.B.c"));
  CHECK(ask(place, {file}, "select count(*) from EVENTS_JDK_EXECUTIONSAMPLE").csv == "count(*)\n5\n");
}

TEST_CASE("sql: addresses have no sign, in the order of a view and in --where as well") {
  using Builder = RecordingBuilder;
  RecordingBuilder builder(
      {{Builder::kMore,
        "my.Page",
        {{"startTime", Builder::kLong}, {"at", Builder::kLong, false, false, Builder::kAddress}}}});
  for (const uint64_t at : {uint64_t{16}, ~uint64_t{0}, uint64_t{32}}) {
    Bytes event{1};
    Builder::leb(event, at);
    builder.other(Builder::kMore, event);
  }
  const Workplace place;
  const std::string file = place.write("a.jfr", builder.bytes());
  CHECK(ask(place, {file}, "select at from events_my_Page").csv == "at\n16\n18446744073709551615\n32\n");
  ViewOptions options;
  options.words = {"my.Page", file};
  options.sort = "at";
  options.json = true;
  const std::string rows = place.run(run_view, options).text;
  CHECK_MESSAGE(rows.find("18446744073709551615") < rows.find("\"at\":32"), rows);
  CHECK(rows.find("\"at\":32") < rows.find("\"at\":16"));
  const auto shown = [&](const std::string& where) {
    return occurrences(hear(place, {"print", "--json-lines", "--where", where, file}).out, "\n");
  };
  CHECK(shown("at > 16") == 2);
  CHECK(shown("at > 0x7fffffffffffffff") == 1);
  CHECK(shown("at < 0") == 0);
}

TEST_CASE("sql: a sample that weighs less than nothing has no weight, as collapsed leaves it out") {
  MadeEvents made;
  for (const int64_t weight : {30, -20, 5})
    made.add("my.Work", 1, {{"stackTrace", made::stack({"app.Main.work"})}, {"weight", made::whole(weight)}});
  const Workplace place;
  const std::string file = place.write("a.jfr", made.bytes());
  CHECK(ask(place, {file}, "select count(*), count(weight), sum(weight) from samples").csv ==
        "count(*),count(weight),sum(weight)\n3,2,35\n");
}

TEST_CASE("sql: in JSON each column has a name of its own") {
  const Workplace place;
  SqlOptions options;
  options.words = {place.write("a.jfr", two_chunks()), "select 1 as n, 2 as n, 3 as n_2, 4 as m, 5 as n"};
  options.json = true;
  CHECK(place.run(run_sql, options).text == "{\"n\": 1, \"n_3\": 2, \"n_2\": 3, \"m\": 4, \"n_4\": 5}\n");
}

TEST_CASE("sql: a field that is called as a column of ours, or as another but for its case, is a column of its own") {
  const Workplace place;
  const Bytes recording =
      MadeEvents()
          .add("app.Order", 1, {{"recording", made::whole(55)}, {"host", made::text("a")}, {"Host", made::text("B")}})
          .bytes();
  const std::string file = place.write("a.jfr", recording);
  CHECK(ask(place, {file}, "select recording, recording_2, host, Host_2 from events_app_Order").csv ==
        "recording,recording_2,host,Host_2\n1,55,a,B\n");
}

TEST_CASE("sql: structs in structs are columns as deep as four, and JSON below, also where they hold themselves") {
  const Workplace place;
  RecordingBuilder builder;
  builder.link(1, 1, 0);
  const std::string file = place.write("a.jfr", builder.linked(2'000, 1).bytes());
  CHECK(ask(place, {file}, "select json_valid(link_left_left_left_left) from events_test_Linked").csv ==
        "json_valid(link_left_left_left_left)\n1\n");
  CHECK(has(ask(place, {file}, "select link_left_left_left_left from events_test_Linked").csv, "right"));
}

TEST_CASE("sql: members of an archive are recordings with labels, and nothing is unpacked for another time") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks()), archive = place.path("a.recz");
  ArchiveAddOptions add;
  add.archive = archive;
  add.files = {file};
  add.labels = {"service=shop", "host=h1"};
  int code = 0;
  place.output_of([&](Output& out) { return run_archive_add(add, out); }, code);
  REQUIRE(code == kDone);
  CHECK(
      ask(place, {archive}, "select service, host, env, count(*) from samples join recordings using (recording)").csv ==
      "service,host,env,count(*)\nshop,h1,,5\n");
  CHECK(ask(place, {archive + ":a.jfr"}, "select count(*) from samples").csv == "count(*)\n5\n");
  CHECK(ask(place, {archive}, "select count(*) from samples where time_ns < 0").csv == "count(*)\n0\n");
}

TEST_CASE("sql: what makes no sense is refused in a line, and nothing but reading is allowed") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  for (const std::string query :
       {"", "selct 1", "select * from nothing", "select * from events_jdk_Nothing", "attach 'x' as y",
        "create table x(y)", "insert into samples values (1)", "pragma user_version = 7"})
    CHECK(ask(place, {file}, query).code == kUsageError);
  CHECK(ask(place, {place.path("none.jfr")}, "select 1").code == kUsageError);
  CHECK(ask(place, {}, "select 1").code == kUsageError);
}

TEST_CASE("sql: a table that is not there is told once, with the nearest or where they are listed") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const auto told_of = [&](const std::string& query) { return test::hear(place, {"sql", file, query}).err; };
  for (const std::string query : {"select * from nope", ".schema nope"})
    CHECK(told_of(query) == "jrec: sql: no such table: nope; .tables lists those that there are\n");
  for (const std::string query : {"select * from sampels", ".schema sampels"})
    CHECK(told_of(query) == "jrec: sql: no such table: sampels; did you mean samples?\n");
}

TEST_CASE("sql: what there is may be asked: tables, columns, and by SQLite's own words") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const std::string tables = ask(place, {file}, ".tables").csv;
  CHECK(has(tables, "table,columns\n"));
  CHECK(has(tables, "samples,14\n"));
  CHECK(has(tables, "events_jdk_ExecutionSample,"));
  CHECK(has(ask(place, {file}, ".schema samples;").csv, "samples,time_ns,INTEGER\n"));
  CHECK(has(ask(place, {file}, ".schema").csv, "events_jdk_ExecutionSample,startTime,INTEGER\n"));
  CHECK(ask(place, {file}, ".schema sample").code == kUsageError);
  CHECK(has(ask(place, {file}, ".schema Samples").csv, "samples,time_ns,INTEGER\n"));
  CHECK(ask(place, {file}, ".quit").code == kUsageError);
  CHECK(ask(place, {file}, "select count(*) from sqlite_master where name in ('samples', 'events_jdk_ExecutionSample')")
            .csv == "count(*)\n2\n");
  CHECK(has(ask(place, {file}, "pragma table_info(samples)").csv, "1,time_ns,INTEGER,"));
}

TEST_CASE(
    "sql: a join over ranges of time, whose rows are kept by time from the third range on, gives what single queries "
    "give") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const std::string ranges =
      "with ranges(a, b) as (values (0, 1), (1000, 1001), (1001, 2000), (0, 5000), (2001, 9000), (3000, 3000), (9000, "
      "0)), "
      "first(t) as (select min(time_ns) from samples) ";
  std::string expected = "a,n\n";
  for (const auto& [a, b] :
       {std::pair{0, 1}, {1000, 1001}, {1001, 2000}, {0, 5000}, {2001, 9000}, {3000, 3000}, {9000, 0}}) {
    const std::string one = ask(place, {file},
                                "select " + std::to_string(a) +
                                    ", count(*) from samples where time_ns - "
                                    "(select min(time_ns) from samples) between " +
                                    std::to_string(a) + " and " + std::to_string(b))
                                .csv;
    expected += one.substr(one.find('\n') + 1);
  }
  CHECK(ask(place, {file},
            ranges + "select a, (select count(*) from samples where time_ns between t + a and t + b) as n "
                     "from first, ranges")
            .csv == expected);
  CHECK(has(ask(place, {file},
                ranges + "select a, (select group_concat(top) from samples where time_ns between t + a and t + b) "
                         "as n from first, ranges")
                .csv,
            "a.B.c"));
}

TEST_CASE("sql: medians and percentiles of a group, times and durations as texts") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  CHECK(ask(place, {file}, "select top, median(weight), percentile(weight, 100) from samples group by 1 order by 1")
            .csv == "top,median(weight),\"percentile(weight, 100)\"\na.B.c,10,10\na.D.e,5,5\n");
  CHECK(ask(place, {file}, "select median(null), median(x) from (select 1 as x union select 4)").csv ==
        "median(null),median(x)\n,2.5\n");
  CHECK(ask(place, {file}, "select ts(1700000000123000000) as at, duration(12300000) as took, ts(null) as never").csv ==
        "at,took,never\n2023-11-14T22:13:20.123Z,12.3 ms,\n");
  CHECK(ask(place, {file}, "select ts('noon')").code == kUsageError);
  CHECK(ask(place, {file}, "select percentile(weight, 101) from samples").code == kUsageError);
}

TEST_CASE("sql: a table of Markdown has a rule that says what stands at the right, and no bars in cells") {
  const Workplace place;
  SqlOptions options;
  options.words = {place.write("a.jfr", two_chunks()), "select 'x|y' as name, 12345 as n"};
  options.markdown = true;
  int code = 0;
  CHECK(place.output_of([&](Output& out) { return run_sql(options, out); }, code) ==
        "| name |     n |\n| ---- | ----: |\n| x\\|y | 12345 |\n");
  options.words[1] = "select '<!--' as name";
  CHECK(has(place.output_of([&](Output& out) { return run_sql(options, out); }, code), "| &lt;!-- |"));
  options.words[1] = "select 1e999 as x, -1e999 as y";
  options.markdown = false, options.json = true;
  CHECK(place.output_of([&](Output& out) { return run_sql(options, out); }, code) == "{\"x\": null, \"y\": null}\n");
}

TEST_CASE("damage: sql reads what is left, and says that something is missing") {
  const Workplace place;
  Bytes bytes = two_chunks();
  bytes.resize(bytes.size() - 20);
  const Answer answer = ask(place, {place.write("a.jfr", bytes)}, "select count(*) > 3 as enough from samples");
  CHECK(answer.code == kDamaged);
  CHECK(answer.csv == "enough\n1\n");
}

TEST_CASE("sql: losses are what the recording's events tell") {
  const Workplace place;
  const std::string file = place.write("a.jfr", RecordingBuilder().loss(1, 5).text(2, "x").loss(3, 7).bytes());
  const Answer answer = ask(place, {file}, "select event, cause, sum(count) as lost, count(*) as events from losses");
  CHECK(answer.csv == "event,cause,lost,events\njdk.DataLoss,amount,12,2\n");
}

TEST_CASE("sql: the word that was typed is not what one may have meant") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  const test::Heard heard =
      test::hear(place, {"sql", file, "select thread, count(*) as samples from events_jdk_ExecutionSample group by 1"});
  CHECK(heard.code == kUsageError);
  CHECK_MESSAGE(has(heard.err, "no such column: thread; "), heard.err);
  CHECK_FALSE_MESSAGE(has(heard.err, "did you mean thread"), heard.err);  // nor thread_id, which samples has
  CHECK(has(test::hear(place, {"sql", file, "select thred from samples"}).err, "did you mean thread?"));
}

TEST_CASE("sql: each example is a query") {
  const Workplace place;
  const std::string file = place.write("a.jfr", two_chunks());
  for (const SqlExample& example : sql_examples()) {
    const std::string query(example.query);
    if (has(query, "events_jdk_")) continue;  // of types that this recording has not
    CHECK(ask(place, {file}, query).code == kDone);
  }
  CHECK(sql_examples().size() >= 12);
}

}  // namespace
