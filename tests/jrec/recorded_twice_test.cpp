// SPDX-License-Identifier: Apache-2.0
// One JVM that several recorders have recorded at the same time counts twice, which is told.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "format/header_layout.h"
#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace jrec;
using namespace test;

namespace {

const char* const kTold = "rec and the JDK have recorded one JVM here";
const char* const kToldOfAny = "have recorded one JVM here";

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
Bytes by_async_profiler(int64_t pid, int64_t start_ms) {
  return of_jvm(pid, start_ms).add("profiler.Window", 5, {}).bytes();
}

Bytes begun_at(int64_t start_ns, Bytes chunk) {
  for (size_t i = 0; i < 8; ++i) chunk[jfr::kStartNanosOffset + i] = static_cast<uint8_t>(start_ns >> (56 - 8 * i));
  return chunk;
}

Bytes behind_each_other(const Bytes& one, const Bytes& other) {
  Bytes both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

Heard hear_of(const std::string& command, const Bytes& file) {
  const Workplace place;
  return hear(place, {command, place.write("both.jfr", file)});
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

TEST_CASE("each two recorders of a JVM that count twice are told by their names") {
  const Bytes ours = by_rec(4711, 5000), theirs = by_async_profiler(4711, 4990), of_jdk = by_jdk(4711, 5120);
  const std::string ours_and_theirs = "rec and async-profiler have recorded one JVM here";
  const std::string theirs_and_of_jdk = "async-profiler and the JDK have recorded one JVM here";
  const auto err_of = [](const Bytes& one, const Bytes& other) { return hot_of(one, other).err; };
  CHECK(has(err_of(ours, theirs), ours_and_theirs));
  CHECK_FALSE(has(err_of(ours, theirs), "the JDK"));
  CHECK(has(err_of(of_jdk, theirs), theirs_and_of_jdk));
  CHECK_FALSE(has(err_of(of_jdk, theirs), "rec and"));
  CHECK_FALSE(has(err_of(theirs, theirs), kToldOfAny));
  const std::string of_three = err_of(behind_each_other(ours, theirs), of_jdk);
  for (const std::string& told : {std::string(kTold), ours_and_theirs, theirs_and_of_jdk})
    CHECK_MESSAGE(has(of_three, told), of_three);
}

TEST_CASE("a JVM that is recorded twice is told of chunks of one file") {
  const Bytes both = behind_each_other(by_rec(4711, 5000), by_jdk(4711, 5120));
  CHECK(has(hear_of("hot", both).err, kTold));
  CHECK(has(hear_of("summary", both).err, kTold));
  CHECK_FALSE(has(hear_of("hot", behind_each_other(by_jdk(4711, 5120), by_jdk(4711, 5120))).err, kToldOfAny));
}

TEST_CASE("a JVM that is recorded twice is told of members of an archive") {
  const Workplace place;
  const std::string archive = place.path("both.recz");
  const Bytes ours = by_rec(4711, 5000), of_jdk = by_jdk(4711, 5120);
  const std::vector<std::string> add = {"archive", "add", archive, place.write("one.jfr", ours),
                                        place.write("other.jfr", of_jdk)};
  REQUIRE(hear(place, add).code == kDone);
  CHECK(has(hear(place, {"hot", archive}).err, kTold));
  CHECK_FALSE(has(hear(place, {"hot", archive + ":one.jfr"}).err, kToldOfAny));
}

TEST_CASE("a JVM that is recorded twice is told of rows of sql") {
  const Workplace place;
  const std::string both = place.write("both.jfr", behind_each_other(by_rec(4711, 5000), by_jdk(4711, 5120)));
  CHECK(has(hear(place, {"sql", both, "SELECT count(*) FROM samples"}).err, kTold));
}

TEST_CASE("recorders of one JVM that take turns are not told to count twice") {
  const auto chunk = [](bool is_of_rec, double seconds, int64_t start_ns) {
    MadeEvents made = of_jvm(4711, 5000).seconds(seconds);
    if (is_of_rec) made.add("rec.Counters", 5, {{"cause", made::text("samples")}, {"count", made::whole(7)}});
    return begun_at(start_ns, made.bytes());
  };
  const Bytes ours = behind_each_other(chunk(true, 1, 0), chunk(true, 1, 4'000'000'000));
  CHECK_FALSE(has(hot_of(ours, chunk(false, 1, 2'000'000'000)).err, kToldOfAny));
  CHECK(has(hot_of(ours, chunk(false, 1, 3'500'000'000)).err, kToldOfAny));
}

TEST_CASE("findings say at their head that a JVM is recorded twice") {
  const Workplace place;
  const std::string both = place.write("both.jfr", behind_each_other(by_rec(4711, 5000), by_jdk(4711, 5120)));
  CHECK(has(hear(place, {"findings", both, "--width", "200"}).out, std::string("20.0 s\n         ") + kTold));
  CHECK(has(hear(place, {"findings", both, "--markdown"}).out, std::string("20.0 s\n\n") + kTold));
  CHECK(has(hear(place, {"findings", both, "--json"}).out, std::string("\"recordedTwice\":[\"") + kTold));
  const std::string one = place.write("one.jfr", by_rec(4711, 5000));
  CHECK(has(hear(place, {"findings", one, "--json"}).out, "\"recordedTwice\":[],"));
}

TEST_CASE("the page says that the two JVMs of one that rec and the JDK have recorded are one") {
  const std::string twice = "\"Recorded twice\",\"JVM 1, as rec has recorded it, and JVM 2, as the JDK has, are one";
  const auto page_of = [](const Bytes& one, const Bytes& other) {
    const Workplace place;
    return hear(place, {"report", place.write("one.jfr", one), place.write("other.jfr", other)}).out;
  };
  CHECK(has(page_of(by_rec(4711, 5000), by_jdk(4711, 5120)), twice));
  CHECK(has(page_of(by_rec(4711, 5000), by_async_profiler(4711, 5120)), "JVM 2, as async-profiler has, are one"));
  CHECK_FALSE(has(page_of(by_rec(4711, 5000), by_jdk(4712, 5120)), "Recorded twice"));
  CHECK_FALSE(has(page_of(by_jdk(4711, 5000), by_jdk(4711, 5120)), "Recorded twice"));
}

TEST_CASE("damage: a JVM that is recorded twice is read where one of the files is cut") {
  const Bytes whole = by_jdk(4711, 5120);
  for (size_t size = 0; size < whole.size(); size += 31) {
    const Heard heard = hot_of(by_rec(4711, 5000), Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    CHECK_MESSAGE(has(heard.out, "app.Main.run"), heard.out);
  }
}
