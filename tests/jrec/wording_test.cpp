// SPDX-License-Identifier: Apache-2.0
// What commands say of one thing, and to those who have the words of a command in another order.
#include <doctest/doctest.h>

#include <string>

#include "tests/format/reader_builder.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using test::has;
using test::hear;
using test::Heard;
using test::MadeEvents;
using test::Workplace;
namespace made = test::made;

namespace {

TEST_CASE("words: one sample, one event, one chunk") {
  const Workplace place;
  const std::string file = place.write("a.jfr", MadeEvents().samples(1, {"app.Main.run"}).bytes());
  CHECK(has(hear(place, {"hot", file}).out, "jdk.ExecutionSample: 1 sample\n"));
  CHECK(has(hear(place, {"flame", "--text", file}).out, "jdk.ExecutionSample: 1 sample\n"));
  CHECK(has(hear(place, {"merge", file, "-o", place.path("b.jfr")}).out, "1 chunk of 1 program, 0 found twice"));
}

TEST_CASE("words: who says view FILE NAME hears the order, and a missing file is missing") {
  const Workplace place;
  const std::string file = place.write("a.jfr", MadeEvents().samples(1, {"app.Main.run"}).bytes());
  const Heard swapped = hear(place, {"view", file, "gc"});
  CHECK(swapped.code == 1);
  CHECK(has(swapped.err, "gc: is no file, and names of views stand in front of files: jrec view gc " + file));
  CHECK(has(hear(place, {"view", file, "b.jfr"}).err, "b.jfr: cannot open"));
  CHECK(has(hear(place, {"view", "gc"}).err, "gc: cannot open"));
}

TEST_CASE("words: one collection had no room, and two had none") {
  const Workplace place;
  MadeEvents failed;
  failed.add("jdk.EvacuationFailed", 10, {{"gcId", made::whole(1)}});
  const auto findings = [&] { return hear(place, {"findings", place.write("a.jfr", failed.bytes())}).out; };
  CHECK(has(findings(), "1 collection had no room to copy to"));
  failed.add("jdk.EvacuationFailed", 20, {{"gcId", made::whole(2)}});
  CHECK(has(findings(), "2 collections had no room to copy to"));
}

TEST_CASE("words: a number that is no file is taken for a process") {
  const Workplace place;
  for (const char* command : {"hot", "summary", "findings", "print"}) {
    const Heard heard = hear(place, {command, "1234567"});
    CHECK(heard.code == 1);
    CHECK_MESSAGE(has(heard.err, "1234567: is no file; of a process that records jrec open and jrec top show"),
                  heard.err);
  }
  CHECK(has(hear(place, {"hot", "12a"}).err, "12a: cannot open: No such file"));
}

TEST_CASE("words: an option that takes one value and has two is said to be given more than once") {
  const Workplace place;
  const Heard heard = hear(place, {"hot", "-n", "3", "-n", "2", "a.jfr"});
  CHECK(heard.code == 1);
  CHECK_MESSAGE(has(heard.err, "--rows is given more than once (jrec hot --help tells more)"), heard.err);
}

TEST_CASE("words: an unknown command hears of those that the help tells of, and of no other") {
  const Workplace place;
  const Heard heard = hear(place, {"zzzzzzzzzz"});
  CHECK_MESSAGE(has(heard.err, "; the commands are list, start"), heard.err);
  CHECK_FALSE(has(heard.err, "manual"));
  CHECK_FALSE(has(hear(place, {"manul"}).err, "manual"));
}

TEST_CASE("words: a file, and version, in the place of a command") {
  const Workplace place;
  const std::string file = place.write("a.jfr", MadeEvents().samples(1, {"app.Main.run"}).bytes());
  const Heard heard = hear(place, {file});
  CHECK(heard.code == 1);
  CHECK(has(heard.err, "is a file, and a command stands in front of it: jrec summary " + file));
  CHECK(has(hear(place, {"version"}).err, "did you mean '--version'?"));
}

TEST_CASE("view: a text of several lines is one line of a form") {
  const Workplace place;
  const std::string file = place.write(
      "a.jfr", MadeEvents().add("jdk.OSInformation", 1, {{"osVersion", made::text("NAME=a\nVERSION=b")}}).bytes());
  const std::string shown = hear(place, {"view", "system-information", file}).out;
  CHECK(has(shown, "NAME=a VERSION=b"));
}

TEST_CASE("verify: with --json several recordings are one document") {
  const Workplace place;
  const std::string file = place.write("a.jfr", MadeEvents().samples(1, {"app.Main.run"}).bytes());
  const std::string one = hear(place, {"verify", "--json", file}).out;
  CHECK(one.starts_with("{\"file\":"));
  CHECK(one.ends_with("]}\n"));
  const std::string object = one.substr(0, one.size() - 1);
  CHECK(hear(place, {"verify", "--json", file, place.path("none.jfr"), file}).out ==
        "{\"recordings\":[\n" + object + ",\n" + object + "\n]}\n");
}

TEST_CASE("sql: a query that is refused gives no names of columns, and one without rows does") {
  const Workplace place;
  const std::string file = place.write("a.jfr", MadeEvents().samples(1, {"app.Main.run"}).bytes());
  for (const std::string form : {"--csv", "--json", "--markdown"}) {
    const Heard refused = hear(place, {"sql", file, "select ts('noon') as t", form});
    CHECK(refused.code == 1);
    CHECK(refused.out.empty());
  }
  CHECK(hear(place, {"sql", file, "select ts('noon') as t"}).out.empty());
  CHECK(hear(place, {"sql", file, "select 1 as n where 0", "--csv"}).out == "n\n");
}

}  // namespace
