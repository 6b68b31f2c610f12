// SPDX-License-Identifier: Apache-2.0
// Which thread dumps tell of a deadlock, and which of a thread that has such words for its name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "jrec/findings/deadlock_text.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

namespace test::findings_deadlocks {

using namespace jrec;

namespace {

const std::string kHead = "2026-12-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (25+36 mixed mode):\n\n";
const std::string kEnd = "JNI global refs: 32, weak refs: 3\n\n";

std::string thread_named(const std::string& name) {
  return "\"" + name + "\" #12 [4711] daemon prio=5 os_prio=0 tid=0x00007f0000000800 nid=4711 waiting on condition\n\n";
}

Bytes dump(const std::string& words) {
  return MadeEvents().add("jdk.ThreadDump", 10, {{"result", made::text(words)}}).bytes();
}

std::string deadlock_of(const std::string& one, const std::string& other) {
  const auto waits = [](const std::string& name, const std::string& owner) {
    return "\"" + name + "\":\n  waiting to lock monitor 0x1,\n  which is held by \"" + owner + "\"\n\n";
  };
  return "\nFound one Java-level deadlock:\n=============================\n" + waits(one, other) + waits(other, one) +
         "Java stack information for the threads listed above:\n====\n\"" + one + "\":\n\tat a.A.run(A.java:1)\n";
}

const std::string kLikeIt = "Found one Java-level deadlock:\n====\n\"x\":\nFound 1 deadlock.";

}  // namespace

TEST_CASE("findings: a thread whose name has the words of a deadlock is none") {
  const Workplace place;
  for (const std::string& name : {kLikeIt, "\n\n" + kLikeIt + "\n", std::string("Java-level deadlock")}) {
    const std::string dump_with = kHead + thread_named(name) + thread_named("main");
    CHECK(deadlock_text(dump_with + kEnd).empty());
    CHECK(deadlock_text(dump_with).empty());
    const Heard heard = hear(place, {"findings", "--json", place.write("a.jfr", dump(dump_with + kEnd))});
    CHECK_FALSE_MESSAGE(has(heard.out, "Threads wait for each other"), heard.out);
  }
}

TEST_CASE("findings: deadlocks are told with those who wait, whatever other threads are named") {
  const std::string one = kHead + thread_named("\n" + kLikeIt + "\n") + kEnd + deadlock_of("left", "right");
  const Workplace place;
  const Heard heard = hear(place, {"findings", "--json", place.write("a.jfr", dump(one + "\nFound 1 deadlock.\n\n"))});
  CHECK_MESSAGE(has(heard.out, "The threads left, right will not go on"), heard.out);
  const std::string two = one + deadlock_of("up", "down") + "\nFound 2 deadlocks.\n";
  CHECK(deadlocked_threads(deadlock_text(two)) == std::vector<std::string>{"left", "right", "up", "down"});
}

TEST_CASE("findings: a dump that says only how many deadlocks were found tells of none") {
  for (const char* end : {"Found 1 deadlock.", "Found 9 deadlocks.\n", "Found  deadlocks.", "Found 1 deadlock", ""})
    CHECK(deadlock_text(end).empty());
}

}  // namespace test::findings_deadlocks
