// SPDX-License-Identifier: Apache-2.0
// `jrec findings` as a user calls it: text, JSON, Markdown, exit codes.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <string>

#include "jrec/findings/rule.h"
#include "tests/jrec/files.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

namespace test::findings_command {

using namespace made;

namespace {

MadeEvents hot_program(const std::string& method = "app.Hot.loop") {
  MadeEvents made;
  made.samples(300, {method, "java.lang.Thread.run"});
  made.add("jdk.JavaMonitorEnter", 5000,
           {{"duration", span_ms(9000)}, {"monitorClass", text("app.Cache")}, {"previousOwner", text("writer-1")}});
  return made;
}

Heard findings(const Workplace& place, const MadeEvents& made, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"findings", place.write("a.jfr", made.bytes())});
  return hear(place, options);
}

}  // namespace

TEST_CASE("findings tell in text what was found, when, by which rule, and what shows it") {
  const Workplace place;
  const Heard heard = findings(place, hot_program(), {"--width", "100"});
  CHECK(heard.code == 0);
  CHECK(heard.err.empty());
  CHECK(has(heard.out, "a.jfr: 2 findings in 1 m 0 s\n"));
  CHECK(has(heard.out, "warning  Threads waited 9.00 s for locks of app.Cache\n"));
  CHECK(has(heard.out, "note     100 % of CPU in app.Hot.loop\n"));
  CHECK(has(heard.out, "         class app.Cache, owner writer-1\n"));
  CHECK(has(heard.out, "         rule hot-method: 100 %, from 20 % on\n"));
  CHECK(has(heard.out, "could not be judged:\n"));
}

TEST_CASE("findings fit into the columns that there are, but for a command, which is to be copied") {
  const Workplace place;
  const Heard heard = findings(place, hot_program(), {"--width", "48"});
  CHECK(has(heard.out, "warning  Threads waited 9.00 s for locks of\n         app.Cache\n"));
}

TEST_CASE("findings judge the files behind one that is missing, and end with its exit code") {
  const Workplace place;
  const std::string there = place.write("a.jfr", hot_program().bytes());
  const Heard heard = hear(place, {"findings", place.path("gone.jfr"), there, "--fail-on", "note"});
  CHECK(heard.code == jrec::kUsageError);
  CHECK(has(heard.err, "gone.jfr"));
  CHECK_MESSAGE(has(heard.out, "a.jfr: 2 findings"), heard.out);
}

TEST_CASE("findings --json is one object, of several files an array") {
  const Workplace place;
  const std::string first = place.write("a.jfr", hot_program().bytes()),
                    second = place.write("b.jfr", MadeEvents().seconds(3).bytes());
  const Heard heard = hear(place, {"findings", "--json", first, second});
  CHECK(heard.code == 0);
  rapidjson::Document document;
  document.Parse(heard.out.c_str());
  REQUIRE_FALSE(document.HasParseError());
  const auto& recordings = document["recordings"];
  REQUIRE(recordings.Size() == 2);
  const auto& finding = recordings[0]["findings"][0];
  CHECK(std::string(finding["rule"].GetString()) == "locks");
  CHECK(finding["value"].GetDouble() == doctest::Approx(15));
  CHECK(std::string(finding["evidence"][0]["value"].GetString()) == "app.Cache");
  CHECK(has(finding["from"].GetString(), "2023-11-14T"));
  CHECK(recordings[1]["findings"].Empty());
  CHECK_FALSE(recordings[1]["unjudged"].Empty());
}

TEST_CASE("findings --fail-on ends with 6 from that severity on") {
  const Workplace place;
  CHECK(findings(place, hot_program(), {"--fail-on", "warning"}).code == 6);
  CHECK(findings(place, hot_program(), {"--fail-on", "serious"}).code == 0);
  CHECK(findings(place, hot_program(), {"--fail-on", "warning", "--rule", "locks=50"}).code == 0);
  CHECK(findings(place, hot_program(), {"--fail-on", "always"}).code == 1);
}

TEST_CASE("findings --from and --to look at a part, and settings count anyway") {
  const Workplace place;
  MadeEvents made = hot_program();
  made.add("jdk.GCHeapConfiguration", 1, {{"maxSize", whole(int64_t{36} << 30)}, {"usesCompressedOops", whole(0)}});
  const Heard heard = findings(place, made, {"--from", "30s"});
  CHECK_FALSE(has(heard.out, "app.Cache"));
  CHECK(has(heard.out, "References of 8 bytes"));
  CHECK(has(heard.out, "in 30"));
}

TEST_CASE("the command under a finding shows the part that was looked at, and what tells of the process all of it") {
  const Workplace place;
  MadeEvents made = hot_program();
  made.add("jdk.GCHeapConfiguration", 1, {{"maxSize", whole(int64_t{36} << 30)}, {"usesCompressedOops", whole(0)}});
  const std::vector<std::string> part = {"--from", "7s", "--to", "2023-11-14 22:13:30Z"};
  for (const std::string format : {"", "--json", "--markdown"}) {
    std::vector<std::string> options = part;
    if (!format.empty()) options.push_back(format);
    const Heard heard = findings(place, made, options);
    CHECK_MESSAGE(has(heard.out, " --from 7s --to '2023-11-14 22:13:30Z' " + place.path("a.jfr")), heard.out);
    CHECK_MESSAGE(has(heard.out, "jrec view heap-configuration " + place.path("a.jfr")), heard.out);
  }
  CHECK_FALSE(has(findings(place, made).out, "--from"));
}

TEST_CASE("the command under a finding reads a file whose name begins like an option") {
  const std::string dashed = jrec::command_end("-dash.jfr", {}).file;
  CHECK(dashed == "./-dash.jfr");
  CHECK(jrec::command_end("-it's.jfr", {}).file == "'./-it'\\''s.jfr'");
  CHECK(jrec::command_end("it's\n\xc3\xbc\\x.jfr", {}).file == "$'it\\'s\\012\\303\\274\\\\x.jfr'");
  CHECK(jrec::command_end("\xc3\xbc.jfr", {}).file == "'\xc3\xbc.jfr'");
  CHECK(jrec::command_end("-", {}).file == "-");
  CHECK(jrec::command_end("a.jfr", {}).times.empty());
}

TEST_CASE("a wait that goes on all through a chosen time counts with the part that is in it") {
  const Workplace place;  // it waits from 5 to 14 s
  const Heard within = findings(place, hot_program(), {"--from", "7s", "--to", "9s", "--rule", "locks=99"});
  CHECK_MESSAGE(has(within.out, "Threads waited 2.00 s for locks of app.Cache"), within.out);
  CHECK(has(findings(place, hot_program(), {"--from", "13s", "--to", "23s"}).out, "waited 1.00 s"));
  CHECK_FALSE(has(findings(place, hot_program(), {"--from", "15s", "--to", "20s"}).out, "app.Cache"));
}

TEST_CASE("findings refuse what makes no sense, and list their rules") {
  const Workplace place;
  CHECK(hear(place, {"findings"}).code == 1);
  CHECK(has(findings(place, hot_program(), {"--rule", "lock=1"}).err, "did you mean locks?"));
  const Heard rules = hear(place, {"findings", "--list-rules"});
  CHECK(rules.code == 0);
  CHECK(has(rules.out, "regex-compile"));
}

TEST_CASE("damage: names that are hostile are escaped in text, Markdown and JSON") {
  const Workplace place;
  const MadeEvents made = hot_program("app.X<script>|`\x1b[2J\n* x.loop");
  const Heard text = findings(place, made), markdown = findings(place, made, {"--markdown"}),
              json = findings(place, made, {"--json"});
  CHECK_FALSE(has(text.out, "\x1b"));
  CHECK_FALSE(has(markdown.out, "\x1b"));
  CHECK(has(markdown.out, "app.X\\<script\\>\\|\\`"));
  CHECK_FALSE(has(markdown.out, "\n* x"));
  rapidjson::Document document;
  document.Parse(json.out.c_str());
  CHECK_FALSE(document.HasParseError());
}

TEST_CASE("damage: of a recording that is cut the rest is judged by the time that it has, and the exit code tells") {
  const Workplace place;
  Bytes bytes = hot_program().seconds(300).bytes();
  CHECK_FALSE(has(hear(place, {"findings", place.write("whole.jfr", bytes)}).out, "in 5.00 s"));
  bytes.resize(bytes.size() - 20);
  const Heard heard = hear(place, {"findings", "--fail-on", "warning", place.write("a.jfr", bytes)});
  CHECK(heard.code == 2);
  CHECK_MESSAGE(has(heard.out, "in 5.00 s"), heard.out);
  CHECK(hear(place, {"findings", place.write("b.jfr", Bytes(300, 'x'))}).code == 3);
}

}  // namespace test::findings_command
