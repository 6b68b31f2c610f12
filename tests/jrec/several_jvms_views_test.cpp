// SPDX-License-Identifier: Apache-2.0
// Several JVMs in one view or summary, and views that a filter leaves empty.
#include <doctest/doctest.h>

#include <regex>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

Bytes informed_jvm(int64_t pid) {
  return MadeEvents()
      .seconds(20)
      .add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}})
      .add("jdk.JVMInformation", 1000, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}})
      .bytes();
}

// Behind each other, of one file.
std::string in_one_file(const Workplace& place, const std::vector<Bytes>& chunks) {
  Bytes all;
  for (const Bytes& chunk : chunks) all.insert(all.end(), chunk.begin(), chunk.end());
  return place.write("all.jfr", all);
}

}  // namespace

TEST_CASE("jvm-information shows each JVM of a recording once") {
  const Workplace place;
  const std::string file = in_one_file(place, {informed_jvm(7), informed_jvm(8), informed_jvm(7)});
  const std::string json = hear(place, {"view", "jvm-information", "--json", file}).out;
  const size_t first = json.find("\"pid\":7"), second = json.find("\"pid\":8");
  CHECK_MESSAGE(first < second, json);
  CHECK(second != std::string::npos);
  CHECK(json.find("\"pid\":7", first + 1) == std::string::npos);
  const std::string text = hear(place, {"view", "jvm-information", file}).out;
  CHECK_MESSAGE(has(text, "\n\nPID:"), text);
}

// A JVM with a heap of at most that many bytes, and such a flag.
Bytes configured_jvm(int64_t pid, int64_t bytes) {
  return MadeEvents()
      .seconds(20)
      .add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}})
      .add("jdk.GCHeapConfiguration", 1, {{"maxSize", made::whole(bytes)}})
      .add("jdk.GCHeapConfiguration", 1000, {{"maxSize", made::whole(bytes)}})
      .add("jdk.LongFlag", 1, {{"name", made::text("MaxHeapSize")}, {"value", made::whole(bytes)}})
      .bytes();
}

TEST_CASE("what is true of one JVM is told of each JVM of a recording") {
  const Workplace place;
  const std::string file =
      in_one_file(place, {configured_jvm(7, 1000), configured_jvm(8, 2000), configured_jvm(7, 1000)});
  const std::string heap = hear(place, {"view", "heap-configuration", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(heap, std::regex("\"pid\":7,[^{]*\"maximumHeapSize\":1000[^{]*\\{\"pid\":8,[^{]*"
                                                   "\"maximumHeapSize\":2000[^{]*$")),
                heap);
  const std::string flags = hear(place, {"view", "jvm-flags", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(flags, std::regex("\"pid\":7,[^{]*1000[^{]*\\{\"pid\":8,[^{]*2000[^{]*$")), flags);
  CHECK(has(hear(place, {"view", "heap-configuration", file}).out, "\n\nPID: "));
}

TEST_CASE("of one JVM nothing says which one it is") {
  const Workplace place;
  const std::string file = in_one_file(place, {configured_jvm(7, 1000), configured_jvm(7, 1000)});
  for (const char* view : {"heap-configuration", "jvm-flags"})
    CHECK_FALSE(has(hear(place, {"view", view, file}).out, "PID"));
}

TEST_CASE("a view that a filter leaves empty says so, and not that there are no such events") {
  const Workplace place;
  const std::string file = place.write("a.jfr", informed_jvm(7));
  CHECK(has(hear(place, {"view", "jvm-information", "--from", "15s", file}).out,
            "No events pass the filter for 'JVM Information'."));
  CHECK(has(hear(place, {"view", "gc", file}).out, "No events found for 'Garbage Collections'."));
}

TEST_CASE("findings of a time in which nothing was recorded are refused, and not none") {
  const Workplace place;
  const std::string file = place.write("a.jfr", informed_jvm(7));
  const Heard heard = hear(place, {"findings", "--from", "99999s", file});
  CHECK(heard.code == kUsageError);
  CHECK_MESSAGE(has(heard.err, "--from and --to choose a time before or behind the recording"), heard.err);
  CHECK(hear(place, {"findings", "--from", "15s", file}).code == kDone);
}

TEST_CASE("summary begins when the earliest chunk does, wherever that stands") {
  const Workplace place;
  constexpr size_t kStartOffset = 32;  // of the header: big endian
  const Bytes early = RecordingBuilder().bytes();
  Bytes later = early;
  later[kStartOffset + 2] += 1;  // three days
  const std::string one = hear(place, {"summary", place.write("early.jfr", early)}).out;
  const std::string both = hear(place, {"summary", in_one_file(place, {later, early})}).out;
  const size_t at = one.find("Start: ");
  REQUIRE(at != std::string::npos);
  CHECK_MESSAGE(has(both, one.substr(at, one.find('\n', at) - at)), both);
}

// A JVM with a collection of the number 1, and a pause in it, if that is recorded.
Bytes collecting_jvm(int64_t pid, bool has_pause) {
  MadeEvents made;
  made.seconds(20)
      .add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}})
      .add("jdk.GarbageCollection", 100, {{"gcId", made::whole(1)}, {"name", made::text("G1New")}})
      .add("jdk.GarbageCollection", 200, {{"gcId", made::whole(2)}, {"name", made::text("G1New")}});
  if (has_pause)
    made.add("jdk.GCPhasePause", 100,
             {{"duration", made::span_ms(pid)}, {"gcId", made::whole(1)}, {"name", made::text("GC Pause")}});
  return made.bytes();
}

TEST_CASE("collections of several JVMs are told with the JVM that they are of") {
  const Workplace place;
  const std::string file = in_one_file(place, {collecting_jvm(7, true), collecting_jvm(8, true)});
  const std::string gc = hear(place, {"view", "gc", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(gc, std::regex("\"pid\":7,[^{]*\"gcId\":2")), gc);
  CHECK(std::regex_search(gc, std::regex("\"pid\":8,[^{]*\"gcId\":2")));
  const std::string pauses = hear(place, {"view", "gc-pauses", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(pauses, std::regex("\"pid\":7,[^{]*\"numberOfPauses\":1[^{]*\\{\"pid\":8")), pauses);
  const std::string longest = hear(place, {"view", "long-pauses", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(longest, std::regex("\"pid\":8,[^{]*\"gcId\":1[^{]*\\{\"pid\":7,")), longest);
  CHECK_FALSE(has(hear(place, {"view", "gc", place.write("one.jfr", collecting_jvm(7, true))}).out, "PID"));
}

TEST_CASE("of several JVMs one without such events is not left out without a word") {
  const Workplace place;
  const std::string file = in_one_file(place, {collecting_jvm(7, false), collecting_jvm(8, true)});
  const std::string json = hear(place, {"view", "gc-pauses", "--json", file}).out;
  CHECK_MESSAGE(std::regex_search(json, std::regex("\"pid\":8,[^{]*\"numberOfPauses\":1")), json);
  CHECK_MESSAGE(std::regex_search(json, std::regex("\"pid\":7,[^{]*\"numberOfPauses\":null")), json);
  CHECK(has(hear(place, {"view", "gc-pauses", file}).out, "N/A"));
}
