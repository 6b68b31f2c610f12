// SPDX-License-Identifier: Apache-2.0
// The CPU load in `jrec findings` and on a report's page: the JDK's first look of a JVM tells nothing.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace test;

namespace {

MadeEvents& load(MadeEvents& made, int64_t at_ms, double jvm, double machine) {
  return made.add("jdk.CPULoad", at_ms,
                  {{"jvmUser", made::real(jvm)}, {"jvmSystem", made::real(0)}, {"machineTotal", made::real(machine)}});
}

MadeEvents busy_behind(double first) {
  MadeEvents made;
  load(made.seconds(6), 900, first, first);
  for (int i = 0; i < 5; ++i) load(made, 1900 + i * 1000, 0.5, 0.95);
  return made;
}

MadeEvents& collector(MadeEvents& made, int64_t at_ms, int64_t cpu_ms) {
  return made.add("jdk.GCCPUTime", at_ms, {{"userTime", made::span_ms(cpu_ms)}, {"systemTime", made::span_ms(0)}});
}

// Loads of four processors from 2 s to 12 s, half of them the JVM's: 20 s of CPU time.
MadeEvents loads_from_2_s(int64_t early_collector_ms, double first) {
  MadeEvents made = findings_rules::collections(3, "G1New", "G1 Evacuation Pause", 1);
  made.seconds(12).add("jdk.CPUInformation", 1, {{"hwThreads", made::whole(4)}});
  collector(made, 1000, early_collector_ms);
  load(made, 2000, first, first);
  for (int i = 0; i < 10; ++i) load(made, 3000 + i * 1000, 0.5, 0.5);
  return collector(made, 7000, 10'000);
}

std::string told_of(const MadeEvents& made, const std::string& from = "0s") {
  const Workplace place;
  return hear(place, {"findings", place.write("a.jfr", made.bytes()), "--width", "1000", "--from", from}).out;
}

}  // namespace

TEST_CASE("findings: the first look at the CPU load is in no average where all of it is 0") {
  const std::string told = told_of(busy_behind(0));
  CHECK_MESSAGE(has(told, "All processors were busy: 95 % on average"), told);
  CHECK(has(told_of(busy_behind(0), "1s"), "95 % on average"));
}

TEST_CASE("findings: the first look at the CPU load counts where it tells something, and a later one always") {
  CHECK_FALSE(has(told_of(busy_behind(0.01)), "All processors were busy"));
  MadeEvents later = busy_behind(0.9);
  for (int i = 0; i < 3; ++i) load(later, 6900 + i, 0, 0);
  CHECK_FALSE(has(told_of(later), "All processors were busy"));
}

TEST_CASE("findings: the collector's CPU time is compared with the JVM's of the same time") {
  const std::string told = told_of(loads_from_2_s(15'000, 0));
  CHECK_MESSAGE(has(told, "The collector uses 50 % of the JVM's CPU time"), told);
  CHECK(has(told, "have used 10.0 s in pauses"));
  CHECK(has(told_of(loads_from_2_s(1000, 0.5)), "The collector uses 46 % of the JVM's CPU time"));
}

TEST_CASE("findings: of several JVMs the empty first look of each is left out") {
  const Workplace place;
  MadeEvents one = busy_behind(0), other = busy_behind(0);
  one.add("jdk.JVMInformation", 0, {{"pid", made::whole(7)}, {"jvmStartTime", made::whole(5)}});
  other.add("jdk.JVMInformation", 0, {{"pid", made::whole(8)}, {"jvmStartTime", made::whole(5)}});
  Bytes both = one.bytes();
  const Bytes behind = other.bytes();
  both.insert(both.end(), behind.begin(), behind.end());
  const std::string told = hear(place, {"findings", place.write("two.jfr", both), "--width", "1000"}).out;
  CHECK_MESSAGE(has(told, "95 % on average"), told);
}

TEST_CASE("a report draws no load where a JVM's first look is empty") {
  const Workplace place;
  const std::string file = place.write("a.jfr", busy_behind(0).bytes());
  const std::string page = hear(place, {"report", file, "-o", "-"}).out;
  const std::string machine = page.substr(page.find("\"name\":\"machine\""), 400);
  CHECK_MESSAGE(has(machine, "\"low\":[0.95,0.95,0.95,0.95,0.95],"), machine);
}

TEST_CASE("a report tells of a load that was looked at once, and draws nothing") {
  const Workplace place;
  MadeEvents made;
  load(made.seconds(6), 900, 0, 0);
  const std::string page = hear(place, {"report", place.write("a.jfr", made.bytes()), "-o", "-"}).out;
  const size_t at = page.find("\"name\":\"machine\"");
  REQUIRE(at != std::string::npos);
  const std::string machine = page.substr(at, 100);
  CHECK_MESSAGE(has(machine, "\"at\":[]"), machine);
}
