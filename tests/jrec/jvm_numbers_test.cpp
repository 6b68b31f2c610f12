// SPDX-License-Identifier: Apache-2.0
// Numbers that mean something in one JVM only are joined within it.
#include "jrec/values/jvm_numbers.h"

#include <doctest/doctest.h>

#include <string>

#include "jrec/view/view_command.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/made_events.h"

using namespace jrec;
using namespace test;

namespace {

// A chunk with one collection. pid 0: it does not tell its JVM.
Bytes collection(int64_t pid, int64_t pause_ms) {
  MadeEvents made;
  made.seconds(2);
  if (pid != 0) made.add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(5)}});
  made.add(
      "jdk.GarbageCollection", 10,
      {{"gcId", made::whole(1)}, {"duration", made::span_ms(pause_ms)}, {"longestPause", made::span_ms(pause_ms)}});
  return made.bytes();
}

size_t rows_of_gc(const std::vector<Bytes>& chunks) {
  Bytes all;
  for (const Bytes& chunk : chunks) all.insert(all.end(), chunk.begin(), chunk.end());
  const Workplace place;
  ViewOptions options;
  options.words = {"gc", place.write("a.jfr", all)};
  options.json = true;
  int code = -1;
  const std::string text = place.output_of([&](Output& out) { return run_view(options, out); }, code);
  CHECK(code == kDone);
  size_t rows = 0;
  for (size_t at = text.find("\"gcId\":"); at != std::string::npos; at = text.find("\"gcId\":", at + 1)) ++rows;
  return rows;
}

}  // namespace

TEST_CASE("collections of two JVMs are two rows, whatever their numbers, and those of one are one") {
  CHECK(rows_of_gc({collection(7, 3), collection(7, 3)}) == 1);
  CHECK(rows_of_gc({collection(7, 3), collection(8, 4)}) == 2);
  CHECK(rows_of_gc({collection(7, 3), collection(0, 3), collection(8, 4)}) ==
        2);  // who does not tell is of the JVM before
}

TEST_CASE("a recording of rec and one of the JDK are of one JVM where its process began just before it") {
  const WriterProcess of_rec{7, 10'000, Recorder::kRec}, of_jdk{7, 10'090, Recorder::kJdk};
  CHECK(are_of_one_jvm(of_rec, of_jdk));
  CHECK(are_of_one_jvm(of_jdk, of_rec));
  CHECK(are_of_one_jvm(of_rec, {7, 10'000, Recorder::kJdk}));
  CHECK(are_of_one_jvm({7, 10'000, Recorder::kJdk}, of_rec));
  CHECK_FALSE(are_of_one_jvm(of_rec, {7, 10'090, Recorder::kRec}));
  CHECK_FALSE(are_of_one_jvm(of_rec, {8, 10'090, Recorder::kJdk}));
  CHECK_FALSE(are_of_one_jvm(of_rec, {7, 9'000, Recorder::kJdk}));   // no VM begins before its process
  CHECK_FALSE(are_of_one_jvm(of_rec, {7, 16'000, Recorder::kJdk}));  // nor so long behind it
  CHECK_FALSE(are_of_one_jvm({9, INT64_MIN, Recorder::kRec}, {9, INT64_MAX, Recorder::kJdk}));
  for (const int64_t start_ms : {9'900, 10'100}) {  // async-profiler may tell either
    const WriterProcess of_other{7, start_ms, Recorder::kAsyncProfiler};
    CHECK(are_of_one_jvm(of_rec, of_other));
    CHECK(are_of_one_jvm(of_other, of_jdk));
  }
}

TEST_CASE("JVMs are numbered as they come, and come back") {
  JvmNumbers jvms;
  CHECK(jvms.of(std::nullopt) == 0);
  CHECK(jvms.of(WriterProcess{7, 1, Recorder::kJdk}) == 0);
  CHECK(jvms.of(WriterProcess{7, 2, Recorder::kJdk}) == 1);
  CHECK(jvms.of(std::nullopt) == 1);
  CHECK(jvms.of(WriterProcess{7, 1, Recorder::kJdk}) == 0);
}
