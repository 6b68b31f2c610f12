// SPDX-License-Identifier: Apache-2.0
// Recordings that are put together of several JVMs: nothing of one is left out, counted as another's or drawn on from it.
#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/view/growth_by_jvm.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"

using namespace jrec;
using namespace test;

namespace {

MadeEvents of_jvm(int64_t pid) {
  MadeEvents made;
  made.seconds(20).add("jdk.JVMInformation", 0,
                       {{"pid", made::whole(pid)},
                        {"jvmStartTime", made::whole(5)},
                        {"javaArguments", made::text("program" + std::to_string(pid))}});
  return made;
}

MadeEvents& count(MadeEvents& made, int64_t at_ms, int64_t thrown) {
  return made.add("jdk.ExceptionStatistics", at_ms, {{"throwables", made::whole(thrown)}});
}

MadeEvents& live(MadeEvents& made, int64_t at_ms, int64_t bytes) {
  return made.add("jdk.OldObjectSample", at_ms,
                  {{"stackTrace", made::stack({"app.Cache.put"})}, {"weight", made::whole(bytes)}});
}

MadeEvents& thrown(MadeEvents& made, const Frames& frames, int64_t weight) {
  return made.add("jdk.JavaExceptionThrow", 100,
                  {{"stackTrace", made::stack(frames)},
                   {"thrownClass", made::klass("app.Failure")},
                   {"weight", made::whole(weight)}});
}

Bytes joined(const std::vector<MadeEvents>& chunks) {
  Bytes all;
  for (const MadeEvents& chunk : chunks) {
    const Bytes bytes = chunk.bytes();
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

// What a command says of chunks that are put together: {"hot", "-e", "cpu"}.
Heard heard_of(const std::vector<MadeEvents>& chunks, std::vector<std::string> command) {
  const Workplace place;
  command.insert(command.begin() + 1, place.write("a.jfr", joined(chunks)));
  return hear(place, command);
}

std::string hot(const std::vector<MadeEvents>& chunks, const std::string& event) {
  return heard_of(chunks, {"hot", "-e", event}).out;
}

rapidjson::Document report(const std::vector<MadeEvents>& chunks, const std::vector<std::string>& options = {}) {
  const Workplace place;
  std::vector<std::string> words{"report", place.write("a.jfr", joined(chunks)), "-o", place.path("a.html")};
  words.insert(words.end(), options.begin(), options.end());
  hear(place, words);
  const std::string page = place.read("a.html"), opening = "id=\"data\">";
  const size_t from = page.find(opening) + opening.size();
  const std::string text = page.substr(from, page.find("</script>", from) - from);
  rapidjson::Document data;
  data.Parse(text.data(), text.size());
  REQUIRE_FALSE(data.HasParseError());
  return data;
}

const rapidjson::Value& lane(const rapidjson::Document& data, const std::string& title) {
  for (const auto& each : data["lanes"].GetArray())
    if (each["title"].GetString() == title) return each;
  FAIL("there is no lane " << title);
  return data;
}

}  // namespace

TEST_CASE("CPU time of JVMs by different samplers is added up, and of one JVM by two is not") {
  MadeEvents by_one = of_jvm(7), by_other = of_jvm(8), by_both = of_jvm(9);
  by_one.samples(30, {"app.Main.one"});
  for (int i = 0; i < 20; ++i)
    by_other.add("jdk.CPUTimeSample", i, {{"stackTrace", made::stack({"app.Main.other"})}, {"failed", made::whole(0)}});
  by_both.samples(10, {"app.Main.both"});
  for (int i = 0; i < 90; ++i)
    by_both.add("jdk.CPUTimeSample", i, {{"stackTrace", made::stack({"app.Main.both"})}, {"failed", made::whole(0)}});
  const std::string text = hot({by_one, by_other, by_both}, "cpu");
  CHECK(text.find("jdk.ExecutionSample and jdk.CPUTimeSample: 60 samples") == 0);
  CHECK(hot({by_one}, "cpu").find("jdk.ExecutionSample: 30 samples") == 0);
  const std::string asked = heard_of({by_one, by_other, by_both}, {"sql", "-x", "hot-methods", "--csv"}).out;
  for (const char* row : {"app.Main.one,30,50", "app.Main.other,20,33.3", "app.Main.both,10,16.7"})
    CHECK_MESSAGE(asked.find(row) != std::string::npos, asked);
}

TEST_CASE("merge takes the longest copy of a chunk that was copied while it was written, in any order") {
  MadeEvents early = of_jvm(7), whole = of_jvm(7), other = of_jvm(8);
  early.seconds(1);
  for (MadeEvents* each : {&early, &whole, &other}) thrown(*each, {"app.Main.one"}, 1);
  thrown(whole, {"app.Main.two"}, 1);
  const Workplace place;
  const std::string copy = place.write("copy.jfr", early.bytes()), all = place.write("all.jfr", whole.bytes()),
                    one = place.write("other.jfr", other.bytes()), out = place.path("out.jfr");
  const std::string once = heard_of({whole, other}, {"collapsed", "-e", "exceptions"}).out;
  for (const auto& files : {std::array{copy, all, one}, std::array{one, all, copy}, std::array{all, copy, one}}) {
    CHECK(hear(place, {"merge", "-q", "-o", out, files[0], files[1], files[2]}).code == kDone);
    CHECK(hear(place, {"collapsed", "-e", "exceptions", out}).out == once);
  }
}

TEST_CASE("objects that live are those of each JVM's last dump") {
  MadeEvents first = of_jvm(7), last = of_jvm(7), other = of_jvm(8);
  live(live(first, 100, 5000), 100, 1000);
  live(last, 9000, 5000);
  live(other, 50, 700);
  const std::string text = hot({first, last, other}, "live");
  CHECK_MESSAGE(text.find("jdk.OldObjectSample: 5.6 kB in 2 events") == 0, text);
}

TEST_CASE("objects that live are counted beside those of a recorder that tells no sizes, and not compared with them") {
  MadeEvents ours = of_jvm(7), theirs = of_jvm(8), others = of_jvm(9);
  live(ours, 100, 5000);
  theirs.add("jdk.OldObjectSample", 50, {{"stackTrace", made::stack({"app.Cache.put"})}});
  others.add("profiler.LiveObject", 50,
             {{"stackTrace", made::stack({"app.Cache.put"})}, {"allocationSize", made::whole(700)}});
  CHECK(hot({others}, "live").find("profiler.LiveObject: 700 bytes in 1 event") == 0);
  CHECK(hot({others, theirs}, "live").find("profiler.LiveObject and jdk.OldObjectSample: 2 samples") == 0);
  CHECK(hot({ours, theirs}, "live").find("jdk.OldObjectSample: 2 samples") == 0);
  const Workplace place;
  const std::string counted = place.write("a.jfr", joined({theirs})), weighed = place.write("b.jfr", joined({others}));
  const Heard diff = hear(place, {"diff", "-e", "live", counted, weighed});
  CHECK(diff.code == kUsageError);
  CHECK(diff.err.find("one side is of bytes and the other of samples") != std::string::npos);
}

TEST_CASE("on a page an object that lives has the time when it was allocated, and not that of the dump") {
  MadeEvents made = of_jvm(7);
  made.add("jdk.OldObjectSample", 19'000,
           {{"stackTrace", made::stack({"app.Cache.put"})},
            {"weight", made::whole(5000)},
            {"allocationTime", made::whole(5'000'001'000)}});
  const rapidjson::Document data = report({made});
  const auto& live = data["clocks"][0];
  CHECK(std::string(live["id"].GetString()) == "live");
  CHECK(live["time"][0].GetDouble() * live["bucket_ms"].GetDouble() == doctest::Approx(5'000).epsilon(0.02));
}

TEST_CASE("a page of a part has what began before it and goes on, also where nothing begins in it") {
  MadeEvents made = of_jvm(7);
  made.add("jdk.JavaMonitorEnter", 2'000,
           {{"duration", made::span_ms(15'000)}, {"stackTrace", made::stack({"app.Cache.get"})}});
  const rapidjson::Document data = report({made}, {"--from", "5s", "--to", "9s"});
  REQUIRE(data["clocks"].Size() == 1);
  int64_t weight = 0;
  for (const auto& each : data["clocks"][0]["weight"].GetArray()) weight += each.GetInt64();
  CHECK(weight == int64_t{4} * 1'000'000'000);
  CHECK(lane(data, "Locks and parks")["high"][0].GetDouble() == doctest::Approx(1).epsilon(0.01));
  CHECK(report({made}, {"--from", "18s"})["clocks"].Size() == 0);
}

TEST_CASE("what each JVM counts by itself grows by what each has counted") {
  MadeEvents one = of_jvm(7), other = of_jvm(8);
  count(count(one, 0, 100'000), 10'000, 150'000);
  count(count(other, 0, 10), 10'000, 2'010);
  const Workplace place;
  const std::string file = place.write("a.jfr", joined({one, other}));
  CHECK(hear(place, {"view", "exception-count", file}).out.find("52,000") != std::string::npos);
  CHECK(hear(place, {"findings", file}).out.find("5,200 exceptions a second") != std::string::npos);

  const rapidjson::Document data = report({one, other});
  CHECK(lane(data, "Exceptions")["last"][0].GetDouble() == doctest::Approx(5'200));
  bool tells_both = false;
  for (const auto& fact : data["facts"].GetArray())
    tells_both |=
        std::string(fact[0].GetString()) == "Program" && std::string(fact[1].GetString()) == "program7; program8";
  CHECK(tells_both);
}

TEST_CASE("a page of several JVMs tells which each is, by process, start and file") {
  MadeEvents one = of_jvm(7), other = of_jvm(8);
  one.samples(1, {"app.Main.one"});
  other.samples(2, {"app.Main.other"});
  const Workplace place;
  const std::string first = place.write("first.jfr", one.bytes()), second = place.write("second.jfr", other.bytes());
  hear(place, {"report", first, second, "-o", place.path("two.html")});
  const std::string page = place.read("two.html");
  const std::string table =
      R"("view":"jvms","title":"JVMs","form":false,"left_out":0,"columns":[["JVM","plain"],["PID",)"
      R"("plain"],["Started","plain"],["Files","plain"]],"rows":)";
  const std::string rows = R"([["JVM 1","7","1970-01-01T00:00:00Z","first.jfr"],)"
                           R"(["JVM 2","8","1970-01-01T00:00:00Z","second.jfr"]])";
  CHECK(page.find(table + rows) != std::string::npos);
  CHECK(page.find(R"(, JVM 1")") != std::string::npos);
  CHECK(page.find(R"(, JVM 2")") != std::string::npos);
  hear(place, {"report", first, "-o", place.path("one.html")});
  CHECK(place.read("one.html").find(R"("view":"jvms")") == std::string::npos);
}

TEST_CASE("growth is of JVMs that were looked at twice, and its time that of all of them once") {
  GrowthByJvm growth;
  growth.look(1, 1'000, 5);
  CHECK(growth.length_ns() == 0);
  growth.look(1, 4'000, 9);
  growth.look(2, 3'000, 100);
  growth.look(2, 6'000, 101);
  growth.look(3, 0, 77);
  growth.look(3, 50, -1);
  CHECK(growth.looks() == 5);
  CHECK(growth.growth() == 5);
  CHECK(growth.length_ns() == 5'000);
}

TEST_CASE("memory of JVMs that run at the same time is added up, and a heap is left as a collection leaves it") {
  const auto resident = [](MadeEvents& made, int64_t at_ms, int64_t bytes) {
    made.add("jdk.ResidentSetSize", at_ms, {{"size", made::whole(bytes)}});
  };
  MadeEvents one = of_jvm(7), other = of_jvm(8), brief = of_jvm(9);
  for (const int64_t at : {1000, 3000, 5000}) resident(one, at, 100);
  resident(other, 2000, 40), resident(other, 4000, 80);
  resident(brief.seconds(3.5), 3000, 7);
  const auto used = [&](int64_t at_ms, int64_t bytes) {
    one.add("jdk.GCHeapSummary", at_ms, {{"heapUsed", made::whole(bytes)}});
  };
  used(1000, 10), used(7000, 900), used(7001, 10);
  const rapidjson::Document data = report({one, other, brief});
  std::vector<double> sums;
  for (const auto& each : lane(data, "Memory")["high"].GetArray()) sums.push_back(std::round(each.GetDouble()));
  // At the beginning, at each event, at the end of the brief one and at the end of all.
  CHECK(sums == std::vector<double>{147, 147, 147, 167, 177, 180, 180, 180});
  const auto& heap = lane(data, "Heap");
  REQUIRE(heap["at"].Size() == 2);
  CHECK((heap["low"][1].GetInt() == 10 && heap["high"][1].GetInt() == 900 && heap["last"][1].GetInt() == 10));
}

TEST_CASE("of two series of one name a lane has the one that tells more") {
  MadeEvents made = of_jvm(7);
  for (const int64_t at : {0, 9000}) made.add("jdk.ResidentSetSize", at, {{"size", made::whole(100)}});
  for (const int64_t at : {1000, 2000, 3000}) made.add("rec.MemoryUse", at, {{"resident", made::whole(50)}});
  const rapidjson::Document data = report({made});
  CHECK(lane(data, "Memory")["high"].Size() == 3);
}

TEST_CASE("the share of time that JVMs stand still is of the time of each") {
  std::vector<MadeEvents> jvms;
  for (int64_t pid = 1; pid <= 4; ++pid) {
    jvms.push_back(of_jvm(pid));
    for (int64_t at = 0; at < 20'000; at += 500)
      jvms.back()
          .add("jdk.GarbageCollection", at, {{"name", made::text("G1New")}, {"sumOfPauses", made::span_ms(15)}})
          .add("jdk.GCPhasePause", at, {{"duration", made::span_ms(15)}});
  }
  CHECK(heard_of(jvms, {"findings"}).out.find("pauses for collections") == std::string::npos);
  const std::string lower = heard_of(jvms, {"findings", "--rule", "gc-pauses=2"}).out;
  CHECK_MESSAGE(lower.find(" 3.0 % of the time is pauses") != std::string::npos, lower);
}

TEST_CASE("exceptions are counted by what they stand for, and who throws is not their constructor") {
  MadeEvents made = of_jvm(7);
  count(count(made, 0, 0), 10'000, 90'000);
  thrown(made, {"java.lang.Throwable.<init>", "app.Failure.<init>", "app.Main.fails"}, 450);
  CHECK(heard_of({made}, {"findings"}).out.find("made in app.Main.fails") != std::string::npos);
  const std::string counted = heard_of({made}, {"sql", "-x", "exceptions", "--csv"}).out;
  CHECK(counted.find("app.Failure,java.lang.Throwable.<init>,450") != std::string::npos);
}

TEST_CASE("chunks that stand in a recording twice are told") {
  MadeEvents made = of_jvm(7);
  made.samples(3, {"app.Main.run"});
  const Heard twice = heard_of({made, made}, {"hot"});
  CHECK(twice.out.find(": 6 samples") != std::string::npos);
  CHECK(twice.err.find("1 of 2 chunks stand there more than once") != std::string::npos);
  CHECK(twice.code == kDone);
  CHECK(heard_of({made, of_jvm(8)}, {"hot"}).err.find("more than once") == std::string::npos);
}
