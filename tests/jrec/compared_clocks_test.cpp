// SPDX-License-Identifier: Apache-2.0
// Recordings that are compared: by one clock where they have one in common, and with a word where they have none.
#include <doctest/doctest.h>

#include <string>

#include "jrec/base/exit_code.h"
#include "tests/jrec/heard.h"
#include "tests/jrec/made_events.h"
#include "tests/text.h"

using namespace test;

namespace {

// Samples of CPU time, of two methods.
MadeEvents by_cpu_time(MadeEvents made, int hot, int cold) {
  for (int i = 0; i < hot + cold; ++i)
    made.add("jdk.CPUTimeSample", i, {{"stackTrace", made::stack({i < hot ? "app.Hot.run" : "app.Cold.run"})}});
  return made;
}

// Executions, by another clock.
MadeEvents by_execution(int hot, int cold) {
  MadeEvents made;
  return made.samples(hot, {"app.Hot.run"}).samples(cold, {"app.Cold.run"});
}

struct Compared {
  const Workplace place;
  Heard of(const MadeEvents& before, const MadeEvents& after, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"diff", place.write("a.jfr", before.bytes()),
                                      place.write("b.jfr", after.bytes())};
    words.insert(words.end(), more.begin(), more.end());
    return hear(place, words);
  }
};

constexpr char kOtherClocks[] = "A is of jdk.ExecutionSample by the JVM, and B of jdk.CPUTimeSample by the JVM";

}  // namespace

TEST_CASE("diff: where one side has two clocks and the other has one of them, that one is compared") {
  const MadeEvents both = by_cpu_time(by_execution(100, 400), 400, 100), one = by_cpu_time({}, 400, 100);
  const Compared compared;
  for (const Heard& heard : {compared.of(both, one), compared.of(one, both)}) {
    CHECK_MESSAGE(has(heard.out, "A: "), heard.err);
    CHECK(has(heard.out, "0 of 2 methods changed by more than chance"));
    CHECK_FALSE(has(heard.out, "jdk.ExecutionSample"));
    CHECK(heard.err.empty());
  }
  CHECK(compared.of(both, one, {"--fail-if", "self(\"app.*\") > 5"}).code == jrec::kDone);
}

TEST_CASE("diff: sides without a clock in common are told of, in all that diff writes") {
  const MadeEvents before = by_execution(100, 400), after = by_cpu_time({}, 400, 100);
  const Compared compared;
  CHECK_MESSAGE(has(compared.of(before, after).err, kOtherClocks), compared.of(before, after).err);
  CHECK(has(compared.of(before, after, {"--json"}).out, std::string("\"note\":\"") + kOtherClocks));
  CHECK(has(compared.of(before, after, {"--markdown"}).out, std::string("**") + kOtherClocks));
  CHECK_FALSE(has(compared.of(before, before, {"--json"}).out, "\"note\""));
}

TEST_CASE("diff: samples by rec and by the JVM are of two clocks, whatever they are called") {
  MadeEvents by_rec = by_execution(100, 400);
  by_rec.add("rec.Counters", 5, {{"cause", made::text("samples")}, {"count", made::whole(500)}});
  const Compared compared;
  CHECK(has(compared.of(by_rec, by_execution(100, 400)).err, "jdk.ExecutionSample by rec, and B of"));
  CHECK(compared.of(by_rec, by_rec).err.empty());
  MadeEvents by_another = by_execution(100, 400);
  by_another.enabled("profiler.Window");
  CHECK(has(compared.of(by_another, by_execution(100, 400)).err, "jdk.ExecutionSample by async-profiler, and B of"));
}

TEST_CASE("diff: an event type is taken by its whole name, too") {
  const MadeEvents one = by_cpu_time({}, 400, 100);
  const Heard heard = Compared().of(one, one, {"--event", "jdk.CPUTimeSample"});
  CHECK_MESSAGE(has(heard.out, "0 of 2 methods changed by more than chance"), heard.out);
  CHECK(heard.err.empty());
}

TEST_CASE("a flame graph of two recordings is of one clock, too, and its clocks are told of where they differ") {
  const Workplace place;
  const std::string both = place.write("both.jfr", by_cpu_time(by_execution(100, 400), 400, 100).bytes());
  const std::string one = place.write("one.jfr", by_cpu_time({}, 400, 100).bytes());
  const std::string other = place.write("other.jfr", by_execution(100, 400).bytes());
  const auto flame = [&](const std::string& before, const std::string& after) {
    return hear(place, {"flame", "-o", place.path("out.html"), "--diff", before, after});
  };
  CHECK_MESSAGE(flame(both, one).err.empty(), flame(both, one).err);
  CHECK_MESSAGE(has(flame(other, one).err, kOtherClocks), flame(other, one).err);
}
