// SPDX-License-Identifier: Apache-2.0
// Rules of `jrec findings` that tell threads that come and go from such that come and stay.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;
using findings_rules::threads_alive;
using findings_rules::told_of;

namespace {

constexpr const char* kChurn = "threads are started each second";
constexpr const char* kLeak = "perhaps a leak";

MadeEvents& start(MadeEvents& made, int64_t at_ms, const std::string& name) {
  return made.add("jdk.ThreadStart", at_ms,
                  {{"thread", made::text(name)},
                   {"parentThread", made::text("main")},
                   {"stackTrace", made::stack({"java.lang.Thread.start", "app.Bank.lend", "app.Main.run"})}});
}
MadeEvents& end(MadeEvents& made, int64_t at_ms, const std::string& name) {
  return made.add("jdk.ThreadEnd", at_ms, {{"thread", made::text(name)}});
}

// 20 threads a second for 40 s, of which all but `staying` of ten end.
MadeEvents started_all_the_time(int staying) {
  MadeEvents made = threads_alive([&](int i) { return 20 + i * 2 * staying; });
  for (int i = 0; i < 800; ++i) {
    const std::string name = "lender-" + std::to_string(i);
    start(made, i * 50, name);
    if (i % 10 >= staying) end(made, i * 50 + 10, name);
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
  for (int i = 0; i < 800; ++i) end(made, i * 50, "old-" + std::to_string(i));
  CHECK_FALSE(has(told_of(made), kChurn));
}

TEST_CASE("findings: where ends of threads are not recorded, threads that are started count") {
  const std::string told = told_of(findings_rules::threads_started(900));
  CHECK_MESSAGE(has(told, "15 threads are started each second\n"), told);
  CHECK(has(told, "900 were started, 900 of them named pool-#-thread-#."));
}

TEST_CASE("findings: many threads that a program starts at its beginning, or that a pool has, are no leak") {
  MadeEvents at_once = threads_alive([](int i) { return i == 0 ? 10 : 210; });
  for (int i = 0; i < 200; ++i) start(at_once, i, "worker-" + std::to_string(i));
  const std::string told = told_of(at_once.seconds(20).enabled("jdk.ThreadEnd"));
  CHECK_FALSE(has(told, kLeak));
  CHECK_FALSE(has(told, kChurn));
  CHECK_FALSE(has(told_of(threads_alive([](int i) { return 900 + i % 7; })), kLeak));
}

TEST_CASE("findings: a few threads more are no leak, whatever their share") {
  CHECK_FALSE(has(told_of(threads_alive([](int i) { return 10 + i / 3; })), kLeak));
  CHECK(has(told_of(threads_alive([](int i) { return 10 + i; })), kLeak));
}
