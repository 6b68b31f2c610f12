// SPDX-License-Identifier: Apache-2.0
// One JVM that rec and the JDK have recorded at the same time counts twice, which is told.
#include <doctest/doctest.h>

#include <string>

#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

const char* const kTold = "rec and the JDK have recorded one JVM here";

MadeEvents of_jvm(int64_t pid, int64_t start_ms) {
  MadeEvents made;
  made.seconds(20).samples(7, {"app.Main.run"});
  return made.add("jdk.JVMInformation", 0, {{"pid", made::whole(pid)}, {"jvmStartTime", made::whole(start_ms)}});
}

Bytes by_jdk(int64_t pid, int64_t start_ms) { return of_jvm(pid, start_ms).bytes(); }
Bytes by_rec(int64_t pid, int64_t start_ms) {
  MadeEvents made = of_jvm(pid, start_ms);
  return made.add("rec.Counters", 5, {{"cause", made::text("samples")}, {"count", made::whole(7)}}).bytes();
}

Heard hot_of(const Bytes& one, const Bytes& other) {
  const Workplace place;
  return hear(place, {"hot", place.write("one.jfr", one), place.write("other.jfr", other)});
}

}  // namespace

TEST_CASE("a JVM that rec and the JDK have recorded at the same time is told to count twice") {
  const Heard heard = hot_of(by_rec(4711, 5000), by_jdk(4711, 5120));
  CHECK_MESSAGE(heard.code == kDone, heard.err);
  CHECK_MESSAGE(has(heard.err, kTold), heard.err);
  CHECK_MESSAGE(has(heard.out, "14 samples"), heard.out);
}

TEST_CASE("recordings of several JVMs, or by one recorder, are not told to count twice") {
  CHECK_FALSE(has(hot_of(by_rec(4711, 5000), by_jdk(4712, 5120)).err, kTold));
  CHECK_FALSE(has(hot_of(by_rec(4711, 5000), by_jdk(4711, 15000)).err, kTold));
  CHECK_FALSE(has(hot_of(by_rec(4711, 5000), by_rec(4711, 5120)).err, kTold));
  CHECK_FALSE(has(hot_of(by_jdk(4711, 5000), by_jdk(4711, 5120)).err, kTold));
}

TEST_CASE("the page says that the two JVMs of one that rec and the JDK have recorded are one") {
  const std::string twice = "\"Recorded twice\",\"JVM 1, as rec has recorded it, and JVM 2, as the JDK has, are one";
  const auto page_of = [](const Bytes& one, const Bytes& other) {
    const Workplace place;
    return hear(place, {"report", place.write("one.jfr", one), place.write("other.jfr", other)}).out;
  };
  CHECK(has(page_of(by_rec(4711, 5000), by_jdk(4711, 5120)), twice));
  CHECK_FALSE(has(page_of(by_rec(4711, 5000), by_jdk(4712, 5120)), "Recorded twice"));
  CHECK_FALSE(has(page_of(by_jdk(4711, 5000), by_jdk(4711, 5120)), "Recorded twice"));
}

TEST_CASE("damage: a JVM that is recorded twice is read where one of the files is cut") {
  const Bytes whole = by_jdk(4711, 5120);
  for (size_t size = 0; size < whole.size(); size += 7) {
    const Heard heard = hot_of(by_rec(4711, 5000), Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    CHECK_MESSAGE(has(heard.out, "app.Main.run"), heard.out);
  }
}
