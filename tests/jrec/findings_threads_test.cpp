// SPDX-License-Identifier: Apache-2.0
// Rules of `jrec findings` that tell threads that come and go from such that come and stay.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <string>

#include "jrec/findings/kind_of_name.h"
#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;
using findings_rules::threads_alive;
using findings_rules::told_of;

namespace {

constexpr const char* kChurn = "threads are started each second";
constexpr const char* kLeak = "perhaps a leak";

MadeEvents& start(MadeEvents& made, int64_t at_ms, const std::string& name, int64_t id) {
  return made.add("jdk.ThreadStart", at_ms,
                  {{"thread", made::thread(name, id)},
                   {"parentThread", made::text("main")},
                   {"stackTrace", made::stack({"java.lang.Thread.start", "app.Bank.lend", "app.Main.run"})}});
}
MadeEvents& end(MadeEvents& made, int64_t at_ms, const std::string& name, int64_t id) {
  return made.add("jdk.ThreadEnd", at_ms, {{"thread", made::thread(name, id)}});
}

using Name = std::function<std::string(int)>;

std::string lender(int i) { return "lender-" + std::to_string(i); }
std::string word(int i) { return {static_cast<char>('g' + i % 20), static_cast<char>('g' + i / 20 % 20), 'x'}; }
std::string uuid(int i) { return fmt::format("conn {:08x}-d9cb-469f-fade-{:012x}", i * 2654435761U, i); }

// 20 threads a second for 40 s, of which all but `staying` of ten end.
MadeEvents started_all_the_time(int staying, const Name& name = lender, const Name& name_at_end = lender) {
  MadeEvents made = threads_alive([&](int i) { return 20 + i * 2 * staying; });
  for (int i = 0; i < 800; ++i) {
    start(made, i * 50, name(i), i + 1);
    if (i % 10 >= staying) end(made, i * 50 + 10, name_at_end(i), i + 1);
  }
  return made.seconds(40).enabled("jdk.ThreadEnd");
}

}  // namespace

TEST_CASE("findings: threads that are started and do not end are a leak, and no pool saves them") {
  const std::string told = told_of(started_all_the_time(10));
  CHECK_MESSAGE(has(told, kLeak), told);
  CHECK_FALSE(has(told, kChurn));
  CHECK(has(told, "Of those that are named lender-#, 800 were started and 0 have ended"));
  CHECK(has(told, "most are started by app.Bank.lend in thread main"));
}

TEST_CASE("findings: threads that are started and end are no leak") {
  const std::string told = told_of(started_all_the_time(0));
  CHECK_MESSAGE(has(told, "20 threads are started each second, and end"), told);
  CHECK(has(told, "800 were started and have ended, 800 of them named lender-#"));
  CHECK_FALSE(has(told, kLeak));
}

TEST_CASE("findings: where some threads end and some do not, both are told") {
  const std::string told = told_of(started_all_the_time(4));
  CHECK(has(told, kLeak));
  CHECK(has(told, "12 threads are started each second, and end"));
}

TEST_CASE("findings: threads of a kind that ends do not stand for those of another that stays") {
  MadeEvents made = started_all_the_time(10);
  for (int i = 0; i < 800; ++i) end(made, i * 50, "old-" + std::to_string(i), 10'000 + i);
  CHECK_FALSE(has(told_of(made), kChurn));
}

TEST_CASE("findings: where ends of threads are not recorded, threads that are started count") {
  const std::string told = told_of(findings_rules::threads_started(900));
  CHECK_MESSAGE(has(told, "15 threads are started each second\n"), told);
  CHECK(has(told, "900 were started, 900 of them named pool-#-thread-#."));
}

TEST_CASE("findings: many threads that a program starts at its beginning, or that a pool has, are no leak") {
  MadeEvents at_once = threads_alive([](int i) { return i == 0 ? 10 : 210; });
  for (int i = 0; i < 200; ++i) start(at_once, i, "worker-" + std::to_string(i), i + 1);
  const std::string told = told_of(at_once.seconds(20).enabled("jdk.ThreadEnd"));
  CHECK_FALSE(has(told, kLeak));
  CHECK_FALSE(has(told, kChurn));
  CHECK_FALSE(has(told_of(threads_alive([](int i) { return 900 + i % 7; })), kLeak));
}

TEST_CASE("findings: a few threads more are no leak, whatever their share") {
  CHECK_FALSE(has(told_of(threads_alive([](int i) { return 10 + i / 3; })), kLeak));
  CHECK(has(told_of(threads_alive([](int i) { return 10 + i; })), kLeak));
}

TEST_CASE("findings: a thread that has another name at its end has ended") {
  const auto renamed = [](int) { return std::string("busy"); };
  const std::string passing = told_of(started_all_the_time(0, lender, renamed));
  CHECK_MESSAGE(has(passing, "800 were started and have ended, 800 of them named lender-#"), passing);
  const auto leaky_or_idle = [](int i) { return (i % 10 < 4 ? "leaky" : "idle-") + std::to_string(i); };
  const std::string both = told_of(started_all_the_time(4, leaky_or_idle, renamed));
  CHECK_MESSAGE(has(both, "480 were started and have ended, 480 of them named idle-#"), both);
  CHECK(has(both, "Of those that are named leaky#, 320 were started and 0 have ended"));
}

TEST_CASE("findings: threads whose names differ by a UUID are of one kind") {
  CHECK(has(told_of(started_all_the_time(10, uuid)), "Of those that are named conn #, 800 were started and 0"));
  CHECK(has(told_of(started_all_the_time(0, uuid)), "800 of them named conn #."));
}

TEST_CASE("findings: where threads have many names, no one of them is accused") {
  const std::string staying = told_of(started_all_the_time(10, word)), passing = told_of(started_all_the_time(0, word));
  CHECK_MESSAGE(has(staying, "threads are started and do not end. They have many names."), staying);
  CHECK_MESSAGE(has(passing, "800 were started and have ended. They have many names. A pool"), passing);
  CHECK_FALSE(has(staying, "that are named"));
}

TEST_CASE("findings: a pool that filled at the start is not accused of a leak behind it") {
  MadeEvents made = started_all_the_time(4);
  for (int i = 0; i < 900; ++i) start(made, i, "worker-" + std::to_string(i), 10'000 + i);
  CHECK(has(told_of(made), "Of those that are named lender-#, 800 were started and 480 have ended"));
}

TEST_CASE("findings: nothing is said of names where too few of the threads that stay were seen to start") {
  MadeEvents made = threads_alive([](int i) { return 20 + i * 10; });
  start(made, 20'000, "JFR Shutdown Hook", 77);
  const std::string told = told_of(made.enabled("jdk.ThreadEnd"));
  CHECK_MESSAGE(has(told, "threads are started and do not end.\n"), told);
  CHECK_FALSE(has(told, "Shutdown"));
}

TEST_CASE("findings: a thread of one JVM does not end one of another that has its number") {
  const auto of_jvm = [](int64_t pid) {
    MadeEvents made;
    made.seconds(20).add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}});
    return made;
  };
  MadeEvents one = of_jvm(1), other = of_jvm(2);
  for (int i = 0; i < 800; ++i) start(one, i * 10, lender(i), i + 1), end(other, i * 10, lender(i), i + 1);
  const Workplace place;
  Bytes all = one.bytes();
  const Bytes more = other.bytes();
  all.insert(all.end(), more.begin(), more.end());
  CHECK_FALSE(has(hear(place, {"findings", place.write("a.jfr", all)}).out, kChurn));
}

TEST_CASE("findings: names of one kind differ by numbers, in hex too, and by UUIDs") {
  const auto kind = [](std::string_view name) { return jrec::kind_of_name(name); };
  CHECK(kind("pool-3-thread-17") == "pool-#-thread-#");
  CHECK(kind("conn 4f3a90de") == "conn #");
  CHECK(kind("conn DEADBEEF, 0xc3") == "conn #, #");
  CHECK(kind("fade0000-beef-cafe-face-facadedecade/7") == "#/#");
  CHECK(kind("a 0f8fad5b-d9cb-469f-a165-70867728950e b") == "a # b");
  CHECK(kind("a 0f8fad5b-d9cb-469f-a165-7086772895") == "a #-#-#-#-#");
  CHECK(kind("face db2 facade C2") == "face db# facade C#");
  CHECK(kind("caf\xc3\xa9-1") == "caf\xc3\xa9-#");
  CHECK(kind("") == "");
}
