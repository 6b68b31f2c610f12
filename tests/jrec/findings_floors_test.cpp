// SPDX-License-Identifier: Apache-2.0
// What rules ask for before they say something: bytes, and samples.
#include <doctest/doctest.h>

#include <string>

#include "tests/jrec/findings_cases.h"
#include "tests/text.h"

using namespace test;

namespace {

// The heap has so many bytes at most; what lives grows by so many at each of 12 collections.
MadeEvents rising(int64_t most, int64_t first, int64_t step) {
  MadeEvents made = findings_rules::heap_after("SerialOld", 12, [=](int i) { return first + i * step; });
  return made.add("jdk.GCHeapConfiguration", 1, {{"maxSize", made::whole(most)}});
}

constexpr int64_t kMB = int64_t{1} << 20;

bool is_too_few_for(const std::string& rule, int samples, const std::string& told) {
  const size_t at = told.find("samples of CPU time: " + std::to_string(samples) + ", and this needs 200: ");
  return at != std::string::npos && has(told.substr(at, told.find('\n', at) - at), rule);
}

}  // namespace

TEST_CASE("findings: what lives grows by so little of the heap as programs do that warm up, and it is no leak") {
  CHECK_FALSE(has(findings_rules::told_of(rising(300 * kMB, 7 * kMB, kMB / 2)), "perhaps a leak"));
  CHECK(has(findings_rules::told_of(rising(300 * kMB, 7 * kMB, 2 * kMB)), "perhaps a leak"));
  CHECK(has(findings_rules::told_of(rising(30 * kMB, 7 * kMB, kMB / 2)), "perhaps a leak"));
  CHECK(has(findings_rules::told_of(rising(32'000 * kMB, 100 * kMB, 20 * kMB)), "perhaps a leak"));
}

TEST_CASE("findings: a share of CPU of few samples is told where it is beyond the threshold by more than chance") {
  const Frames stream = {"java.io.ObjectOutputStream.writeObject0", "app.Cache.save"};
  MadeEvents most = findings_rules::spread_out(20), some = findings_rules::spread_out(60), few;
  const std::string clear = findings_rules::told_of(most.samples(20, stream));
  CHECK_MESSAGE(has(clear, "50 % of CPU in Java serialization"), clear);
  CHECK(is_too_few_for("regex-compile", 40, clear));
  const std::string unclear = findings_rules::told_of(some.samples(11, stream));
  CHECK_FALSE(has(unclear, "in Java serialization"));
  CHECK(is_too_few_for("serialization", 71, unclear));
  CHECK(is_too_few_for("hot-method", 71, unclear));
  CHECK(is_too_few_for("serialization", 20, findings_rules::told_of(few.samples(20, stream))));
}

TEST_CASE("findings: what one collection takes is little, though an idle program takes less") {
  const auto idle = [](int64_t collector_ms, double jvm) {
    return findings_rules::collections(3, "G1New", "G1 Evacuation Pause", 1)
        .seconds(100)
        .add("jdk.GCCPUTime", 9, {{"userTime", made::span_ms(collector_ms)}, {"systemTime", made::span_ms(0)}})
        .add("jdk.CPUInformation", 1, {{"hwThreads", made::whole(4)}})
        .add("jdk.CPULoad", 1000,
             {{"jvmUser", made::real(jvm)}, {"jvmSystem", made::real(0)}, {"machineTotal", made::real(0.3)}});
  };
  CHECK_FALSE(has(findings_rules::told_of(idle(500, 0.004)), "The collector uses"));
  CHECK(has(findings_rules::told_of(idle(1500, 0.012)), "The collector uses"));
}

TEST_CASE("findings: what serialization does by reflection is not the program's reflection") {
  MadeEvents made = findings_rules::spread_out(200);
  const std::string told = findings_rules::told_of(
      made.samples(200, {"java.lang.reflect.Method.invoke", "java.io.ObjectStreamClass.invokeWriteObject",
                         "java.io.ObjectOutputStream.writeObject0", "app.Cache.save"}));
  CHECK_MESSAGE(has(told, "50 % of CPU in Java serialization"), told);
  CHECK_FALSE(has(told, "in reflection itself"));
}

TEST_CASE("findings: a hot method of few samples is one beyond chance") {
  MadeEvents hot = findings_rules::spread_out(20), warm = findings_rules::spread_out(50);
  CHECK(has(findings_rules::told_of(hot.samples(20, {"app.Hot.loop"})), "50 % of CPU in app.Hot.loop"));
  const std::string told = findings_rules::told_of(warm.samples(15, {"app.Hot.loop"}));
  CHECK_FALSE(has(told, "app.Hot.loop"));
  CHECK(is_too_few_for("hot-method", 65, told));
}

TEST_CASE("findings: what is usual at a start needs many samples, however clear it is") {
  MadeEvents made;
  made.samples(100, {"java.util.zip.Inflater.inflate", "java.lang.ClassLoader.loadClass", "app.Main.run"});
  CHECK(is_too_few_for("class-loading", 100, findings_rules::told_of(made)));
}

TEST_CASE("findings: other processes are worth a note where the machine has room, and a warning where it has little") {
  const auto told_with = [](double machine) {
    return findings_rules::told_of(findings_rules::loads(10, 0.1, machine));
  };
  CHECK(has(told_with(0.8), "warning  Other processes used 70 % of the machine's CPU"));
  CHECK(has(told_with(0.8), "for want of a processor"));
  const std::string with_room = told_with(0.45);
  CHECK_MESSAGE(has(with_room, "note     Other processes used 35 % of the machine's CPU"), with_room);
  CHECK(has(with_room, "55 % of it had nothing to do"));
  CHECK_FALSE(has(with_room, "for want of a processor"));
}
