// SPDX-License-Identifier: Apache-2.0
// Rules of `jrec findings` that choose between two types of events do so for each JVM of a recording; growth must go on to count.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/jrec/findings_cases.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace test;

namespace {

// 20 s of a JVM with `count` collections whose pauses are all `pause_ms` long.
MadeEvents collecting_jvm(int64_t pid, int count, int64_t pause_ms, const std::string& cause = "G1 Evacuation Pause") {
  MadeEvents jvm;
  jvm.seconds(20).add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}});
  for (int i = 0; i < count; ++i) findings_rules::collection(jvm, "G1New", cause, 100 + i * 100, pause_ms);
  return jvm;
}

MadeEvents& told_as_phases(MadeEvents& jvm, int count, int64_t pause_ms) {
  for (int i = 0; i < count; ++i) jvm.add("jdk.GCPhasePause", 100 + i * 100, {{"duration", made::span_ms(pause_ms)}});
  return jvm;
}

MadeEvents& fatal_error(MadeEvents& jvm, const std::string& type, const std::string& error) {
  return jvm.add(type, 100, {{"thrownClass", made::text(error)}, {"stackTrace", made::stack({"app.Main.run"})}});
}

std::string findings_of_all(const std::vector<MadeEvents>& jvms, std::vector<std::string> options = {}) {
  const Workplace place;
  Bytes all;
  for (const MadeEvents& jvm : jvms) {
    const Bytes bytes = jvm.bytes();
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  options.insert(options.begin(), {"findings", place.write("a.jfr", all), "--width", "400"});
  return hear(place, options).out;
}

// Of a heap that is at these bytes in the first, second and last third of its collections.
std::string of_heap(int64_t first, int64_t second, int64_t last, std::vector<std::string> options = {}) {
  return findings_of_all(
      {findings_rules::heap_after("ParallelOld", 13, [&](int i) { return i < 5   ? first
                                                                         : i < 9 ? second
                                                                                 : last; })},
      std::move(options));
}

}  // namespace

TEST_CASE("findings: pauses of each JVM count, whether it tells them as phases or as collections") {
  MadeEvents by_phases = collecting_jvm(7, 19, 20);
  told_as_phases(by_phases, 19, 20);
  const std::vector<MadeEvents> both = {collecting_jvm(8, 23, 80), by_phases};
  const std::string text = findings_of_all(both, {"--rule", "gc-pauses=0", "--rule", "gc-longest-pause=1"});
  CHECK_MESSAGE(has(text, "5.5 % of the time is pauses"), text);
  CHECK(has(text, "stood still 42 times for 2.22 s in all, the longest pause took 80.0 ms"));
  CHECK(has(text, "A collection stopped the program for 80.0 ms"));
  CHECK_FALSE(has(text, "view gc-pauses"));
  CHECK(has(findings_of_all({by_phases}, {"--rule", "gc-pauses=0"}), "view gc-pauses gc"));
}

TEST_CASE("findings: calls of System.gc() of each JVM count, whether it tells them or what came of them") {
  MadeEvents tells_calls = collecting_jvm(7, 2, 10, "System.gc()");
  tells_calls.add("jdk.SystemGC", 100, {{"duration", made::span_ms(20)}});
  const std::string text = findings_of_all({tells_calls, collecting_jvm(8, 1, 30, "System.gc()")});
  CHECK_MESSAGE(has(text, "System.gc() was called twice"), text);
  CHECK(has(text, "stopped the program for 50.0 ms in all"));
}

TEST_CASE("findings: errors of each JVM count, whether it writes them as errors or as exceptions") {
  MadeEvents one = collecting_jvm(7, 1, 1), other = collecting_jvm(8, 1, 1);
  fatal_error(one, "jdk.JavaErrorThrow", "java.lang.StackOverflowError");
  fatal_error(one, "jdk.JavaExceptionThrow", "java.lang.StackOverflowError");
  for (int i = 0; i < 2; ++i) fatal_error(other, "jdk.JavaExceptionThrow", "java.lang.OutOfMemoryError");
  const std::string text = findings_of_all({one, other}, {"--json"});
  CHECK_MESSAGE(has(text, "java.lang.OutOfMemoryError was thrown"), text);
  CHECK(has(text, "\"value\":3"));
}

TEST_CASE("findings: stalls of a JVM that tells them do not hide those of another") {
  MadeEvents tells = collecting_jvm(7, 1, 1);
  tells.add("jdk.ZAllocationStall", 100, {{"duration", made::span_ms(40)}, {"eventThread", made::text("worker-1")}});
  const std::string text = findings_of_all({tells, collecting_jvm(8, 3, 1, "Allocation Stall")});
  CHECK_MESSAGE(has(text, "do not tell who stalled: 3."), text);
}

TEST_CASE("findings: a heap that has filled up and stays is no leak, one that goes on is") {
  CHECK_FALSE(has(of_heap(7'000'000, 22'200'000, 22'800'000), "perhaps a leak"));
  CHECK(has(of_heap(7'000'000, 22'200'000, 24'000'000), "perhaps a leak"));
  CHECK(has(of_heap(100'000'000, 111'000'000, 122'000'000), "perhaps a leak"));
  CHECK(has(of_heap(100'000'000, 101'000'000, 102'000'000, {"--rule", "heap-rising=2"}), "perhaps a leak"));
}
