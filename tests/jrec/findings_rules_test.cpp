// SPDX-License-Identifier: Apache-2.0
// Each rule of `jrec findings`, on a recording in which it fires, and on one that is like it and in which it does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "jrec/findings/find.h"
#include "jrec/findings/rule.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/files.h"
#include "tests/jrec/findings_cases.h"

namespace test::findings_rules {

using namespace made;

using namespace jrec;

namespace {

Findings findings_in(const MadeEvents& made, const FindingOptions& options = {}) {
  const Workplace place;
  Recording recording(place.write("a.jfr", made.bytes()));
  REQUIRE(recording.open());
  Findings findings = findings_of(recording, options);
  CHECK(recording.finish() == kDone);
  return findings;
}

const Finding* finding_of(const Findings& findings, std::string_view rule) {
  const auto found = std::ranges::find(findings.found, rule, &Finding::rule);
  return found == findings.found.end() ? nullptr : &*found;
}

bool is_fine(const Findings& findings, std::string_view rule) { return std::ranges::count(findings.fine, rule) == 1; }

std::string why_unjudged(const Findings& findings, std::string_view rule) {
  const auto unjudged = std::ranges::find(findings.unjudged, rule, &Unjudged::rule);
  return unjudged == findings.unjudged.end() ? "" : unjudged->why;
}

}  // namespace

TEST_CASE("findings: each rule fires where it should, with its number, and is fine where it should be") {
  const auto cases = all_cases();
  for (const Rule& rule : all_rules()) {
    INFO("rule " << rule.name);
    const auto each = cases.find(rule.name);
    REQUIRE(each != cases.end());
    const Findings fired = findings_in(each->second.fires), quiet = findings_in(each->second.quiet);
    const Finding* finding = finding_of(fired, rule.name);
    REQUIRE(finding != nullptr);
    INFO(finding->title);
    CHECK(has(finding->title, each->second.says));
    CHECK(finding->value >= 0);
    CHECK(finding->threshold == rule.threshold);
    CHECK(has(finding->command, "jrec "));
    CHECK(has(finding->text, "."));
    INFO(why_unjudged(quiet, rule.name));
    CHECK(is_fine(quiet, rule.name));
  }
  CHECK(cases.size() == all_rules().size());
}

TEST_CASE("findings: of JFR's recordings how late safepoints were is told, and not because of whom") {
  const auto reached_in = [](int64_t ms) {
    return spread_out().add("jdk.SafepointBegin", 500, {{"duration", span_ms(ms)}});
  };
  CHECK(has(told_of(reached_in(885)), "Safepoints were late by up to 885 ms"));
  CHECK(is_fine(findings_in(reached_in(5)), "late-safepoints"));
  CHECK_FALSE(is_fine(findings_in(spread_out()), "late-safepoints"));
}

TEST_CASE("findings: a late handshake stops one thread, and is no late safepoint") {
  CHECK(finding_of(findings_in(late_safepoint(240)), "late-safepoints") != nullptr);
  CHECK(is_fine(findings_in(late_safepoint(240, "handshake")), "late-safepoints"));
}

TEST_CASE("findings: a recording with nothing in it gives none, and says of each rule why") {
  const Findings findings = findings_in(MadeEvents().seconds(3));
  CHECK(findings.found.empty());
  CHECK(why_unjudged(findings, "regex-compile") == "there are no samples of CPU time");
  CHECK(why_unjudged(findings, "locks") == "jdk.JavaMonitorEnter was not recorded");
  CHECK(findings.unjudged.size() + findings.fine.size() == all_rules().size());
}

// The same, some years later, behind it: of its chunk's head the start is another one.
Bytes twice_years_apart(const MadeEvents& made) {
  constexpr size_t kStartAt = 32;  // big-endian
  const Bytes first = made.bytes();
  Bytes both = first;
  both.insert(both.end(), first.begin(), first.end());
  both[first.size() + kStartAt + 1] += 1;  // 2^48 ns: 3.3 days
  both[first.size() + kStartAt] += 1;      // 2^56 ns: 2.3 years
  return both;
}

TEST_CASE("findings: time between recordings that lie in one file is not recorded time") {
  const Workplace place;
  MadeEvents made = monitors(60, 400);
  made.seconds(20);
  Recording recording(place.write("two.jfr", twice_years_apart(made)));
  REQUIRE(recording.open());
  const Findings both = findings_of(recording, {});
  CHECK(both.duration_ns == 2 * findings_in(made).duration_ns);
  REQUIRE(finding_of(findings_in(made), "locks") != nullptr);
  REQUIRE(finding_of(both, "locks") != nullptr);
  CHECK(finding_of(both, "locks")->value == doctest::Approx(finding_of(findings_in(made), "locks")->value));
}

TEST_CASE("findings: the time of a JVM that two recorders write of counts once") {
  const Workplace place;
  MadeEvents made = monitors(60, 400), beside;
  for (MadeEvents* each : {&made, &beside})
    each->seconds(20).add("jdk.JVMInformation", 0, {{"pid", whole(7)}, {"jvmStartTime", whole(5)}});
  Bytes both = made.bytes();
  const Bytes other = beside.bytes();
  both.insert(both.end(), other.begin(), other.end());
  Recording recording(place.write("two.jfr", both));
  REQUIRE(recording.open());
  const Findings findings = findings_of(recording, {});
  REQUIRE(finding_of(findings, "locks") != nullptr);
  CHECK(finding_of(findings, "locks")->value == doctest::Approx(finding_of(findings_in(made), "locks")->value));
}

TEST_CASE("findings: where CPU time was not sampled, that there are no samples says nothing") {
  CHECK(why_unjudged(findings_in(MadeEvents().seconds(60)), "few-samples") == "samples of CPU time were not recorded");
  CHECK(finding_of(findings_in(MadeEvents().seconds(60).enabled("jdk.ExecutionSample")), "few-samples") != nullptr);
}

TEST_CASE("findings: a share of a handful of samples is none") {
  MadeEvents few = spread_out(180);
  few.samples(9, {"java.util.regex.Pattern.compile", "app.Orders.parse"});
  CHECK(why_unjudged(findings_in(few), "regex-compile") == "samples of CPU time: 189, and this needs 200");
  few.samples(11, {"app.Work1.run"});
  CHECK(is_fine(findings_in(few), "regex-compile"));  // 4.5 %, by 9 samples
}

TEST_CASE("findings: a share of allocation is told by what its samples are worth, and not by how many there are") {
  MadeEvents few_heavy, heavy_in_one_place, known, clear, unclear;
  for (int i = 0; i < 800; ++i) {
    const auto sample = [i](MadeEvents& made, const std::string& type, int64_t weight) {
      made.add("jdk.ObjectAllocationSample", i * 10,
               {{"stackTrace", stack({"app.Site" + type.substr(4) + ".run"})},
                {"objectClass", klass(type)},
                {"weight", whole(weight)}});
    };
    const std::string other = "app.Other" + std::to_string(i % 50);
    sample(few_heavy, i < 2 ? "app.Rare" : other, i < 2 ? 20'000'000'000 : 20'000'000);
    sample(heavy_in_one_place, i < 9 ? "app.Rare" : other, i < 9 ? 1'000'000'000 : 32'000'000);
    sample(clear, i % 10 == 0 || i < 12 ? "app.Rare" : other, i < 12 ? 8'000'000'000 : 20'000'000);
    sample(unclear, i < 12 ? "app.Rare" : other, i < 12 || (i > 700 && i < 726) ? 1'000'000'000 : 1'000'000);
    sample(known, i < 12 ? "app.Rare" : other, i < 12 ? 1'000'000'000 : 32'000'000);
  }
  const Findings worth_few = findings_in(few_heavy), worth_many = findings_in(heavy_in_one_place);
  CHECK(finding_of(findings_in(known), "allocation-site") != nullptr);
  CHECK(finding_of(findings_in(clear), "allocation-site") != nullptr);  // 86 %, by what is worth 16
  CHECK(why_unjudged(findings_in(unclear), "allocation-site") ==        // 31 %, by what is worth 39
        "samples of allocations: 800, worth 39 of one weight, and this needs 100");
  CHECK(why_unjudged(worth_many, "allocation-site") ==
        "samples of allocations of what there is most of are worth 9 of one weight, and this needs 10");
  CHECK(finding_of(worth_few, "allocation-site") == nullptr);
  CHECK(why_unjudged(worth_few, "allocation-site") ==
        "samples of allocations: 800, worth 4 of one weight, and this needs 10");
  CHECK(finding_of(worth_few, "boxing") == nullptr);
  CHECK(!is_fine(worth_few, "boxing"));
  CHECK(why_unjudged(worth_few, "allocation-rate").empty());  // a sum is exact
}

TEST_CASE("findings: a larger heap is no advice where most of the pauses were asked for") {
  const auto text_of = [](MadeEvents made) {
    const Findings findings = findings_in(made);
    const Finding* pauses = finding_of(findings, "gc-pauses");
    REQUIRE(pauses != nullptr);
    return pauses->text;
  };
  MadeEvents mixed = collections(40, "ParallelOld", "System.gc()", 200);
  collection(mixed, "ParallelScavenge", "Allocation Failure", 50'000, 100);
  CHECK(has(text_of(mixed),
            "40 of 41 collections, 8.00 s of 8.10 s, were asked for by System.gc(): a larger heap does not make "
            "these less"));
  CHECK(has(text_of(mixed), "-XX:+DisableExplicitGC"));
  CHECK_FALSE(has(text_of(mixed), "A larger heap, less"));
  collection(mixed, "G1Full", "Diagnostic Command", 55'000, 10);
  CHECK(has(text_of(mixed), "were asked for, most of them by System.gc()"));
  const std::string dumps = text_of(collections(40, "G1Full", "Heap Dump Initiated GC", 200));
  CHECK(has(dumps, "were asked for from outside"));
  CHECK_FALSE(has(dumps, "DisableExplicitGC"));
  MadeEvents few = collections(40, "G1New", "G1 Evacuation Pause", 200);
  collection(few, "G1Full", "System.gc()", 50'000, 100);
  CHECK(has(text_of(few), "A larger heap, less allocation"));
  CHECK(has(finding_of(findings_in(collector_cpu(30'000)), "gc-cpu")->text, "A larger heap"));
}

TEST_CASE(
    "findings: of the owners of a lock the one is named that most of the waiting was for, and for how much of it") {
  const auto owner_of = [](const std::vector<std::pair<const char*, int64_t>>& waits) {
    MadeEvents made;
    for (const auto& [owner, ms] : waits)
      made.add("jdk.JavaMonitorEnter", 100,
               {{"duration", span_ms(ms)},
                {"monitorClass", text("app.Cache")},
                {"previousOwner", text(owner)},
                {"stackTrace", stack({"app.Cache.get"})}});
    const Findings findings = findings_in(made);
    const Finding* locks = finding_of(findings, "locks");
    REQUIRE(locks != nullptr);
    const auto owner = std::ranges::find(locks->evidence, "owner", &Evidence::what);
    return owner == locks->evidence.end() ? std::string() : owner->value;
  };
  CHECK(owner_of({{"a", 4000}, {"a", 5000}}) == "a");
  CHECK(owner_of({{"a", 3000}, {"b", 2000}, {"b", 2000}, {"c", 3000}}) == "b 40 %, and 2 others");
  CHECK(owner_of({{"a", 9000}, {"b", 1000}}) == "a 90 %, and 1 other");
  CHECK(owner_of({{"a", 7500}, {"", 2500}}) == "a 75 %");
  CHECK(owner_of({{"", 9000}}).empty());
}

TEST_CASE("findings: what young collections leave says nothing of what lives") {
  const Findings findings = findings_in(heap_after("G1New", 12, [](int i) { return 100'000'000 + i * 30'000'000; }));
  CHECK(has(why_unjudged(findings, "heap-rising"), "there are no collections of the whole heap"));
}

TEST_CASE("findings: where errors alone are written, they are not what the exceptions are") {
  MadeEvents made;
  for (int i = 0; i < 2; ++i) {
    made.add("jdk.ExceptionStatistics", i * 10'000, {{"throwables", whole(i * 50'000)}});
    made.add("jdk.JavaErrorThrow", i, {{"thrownClass", text("java.lang.NoSuchMethodError")}});
  }
  const Findings findings = findings_in(made);
  const Finding* finding = finding_of(findings, "exceptions");
  REQUIRE(finding != nullptr);
  CHECK(finding->value == doctest::Approx(5000));
  CHECK(finding->evidence.empty());
  CHECK(is_fine(findings, "fatal-errors"));
}

TEST_CASE("findings: an error that is written twice counts once") {
  MadeEvents made;
  for (const char* type : {"jdk.JavaErrorThrow", "jdk.JavaExceptionThrow"})
    made.add(type, 5, {{"thrownClass", text("java.lang.OutOfMemoryError")}, {"stackTrace", stack({"app.Cache.put"})}});
  const Findings findings = findings_in(made);
  REQUIRE(finding_of(findings, "fatal-errors") != nullptr);
  CHECK(finding_of(findings, "fatal-errors")->value == 1);
}

TEST_CASE("findings: collections whose cause nobody tells are not called fine") {
  const Findings findings = findings_in(collections(10, "N/A", "N/A", 5));
  for (const char* rule : {"system-gc", "full-gc", "humongous", "metaspace"})
    CHECK(why_unjudged(findings, rule) == "why collections came is not told");
  CHECK(is_fine(findings, "gc-pauses"));
}

TEST_CASE("findings: calls of System.gc() are counted, not the collections that each of them is") {
  MadeEvents made = collections(6, "G1Old", "System.gc()", 5);
  for (int i = 0; i < 3; ++i) made.add("jdk.SystemGC", i * 1000, {{"stackTrace", stack({"app.Main.run"})}});
  const Findings findings = findings_in(made);
  const Finding* finding = finding_of(findings, "system-gc");
  REQUIRE(finding != nullptr);
  CHECK(finding->value == 3);
  CHECK_FALSE(has(finding->text, "ExplicitGCInvokesConcurrent"));
}

TEST_CASE("findings: a view of other processes is named where they are recorded") {
  const auto command_of = [](const MadeEvents& made) {
    const Findings findings = findings_in(made);
    const Finding* finding = finding_of(findings, "other-processes");
    REQUIRE(finding != nullptr);
    return finding->command;
  };
  MadeEvents made = loads(10, 0.2, 0.9);
  CHECK_FALSE(has(command_of(made), "system-processes"));
  CHECK(has(command_of(made), "view cpu-load-samples "));
  made.add("jdk.SystemProcess", 5, {{"pid", text("17")}, {"commandLine", text("make")}});
  CHECK(has(command_of(made), "view cpu-load-samples system-processes "));
}

TEST_CASE("findings: collections that came of stalls tell of these where no event does") {
  const Findings findings = findings_in(collections(3, "ZGC Major", "Allocation Stall", 5));
  REQUIRE(finding_of(findings, "allocation-stalls") != nullptr);
  CHECK(finding_of(findings, "allocation-stalls")->value == 3);
}

TEST_CASE("findings: a caller that little of the work comes from is not named") {
  MadeEvents made = spread_out();
  for (int i = 0; i < 100; ++i)
    made.samples(1, {"java.util.regex.Pattern.compile", "app.Caller" + std::to_string(i) + ".run"});
  const Findings findings = findings_in(made);
  const Finding* finding = finding_of(findings, "regex-compile");
  REQUIRE(finding != nullptr);
  CHECK(finding->evidence.empty());
  CHECK_FALSE(has(finding->text, "app.Caller"));
}

TEST_CASE("findings: a rising heap names what lives, if that was sampled") {
  MadeEvents made = heap_after("SerialOld", 12, [](int i) { return 100'000'000 + i * 30'000'000; });
  for (int i = 0; i < 3; ++i)
    made.add("profiler.LiveObject", 50'000,
             {{"objectClass", text("byte[]")}, {"stackTrace", stack({"app.Cache.put"})}});
  const Findings findings = findings_in(made);
  const Finding* finding = finding_of(findings, "heap-rising");
  REQUIRE(finding != nullptr);
  CHECK(has(finding->text, "Of 3 sampled objects that live, 3 are byte[], allocated in app.Cache.put."));
  CHECK(has(finding->command, "-e live"));
  CHECK(finding->from_ns < finding->to_ns);
}

TEST_CASE("findings: the evidence is the application's method, and its command quotes what a shell would read") {
  const Findings findings = findings_in(with_samples(200, {"app.Hot$Inner.<init>", "app.Main.run"}));
  const Finding* finding = finding_of(findings, "hot-method");
  REQUIRE(finding != nullptr);
  REQUIRE(finding->evidence.size() == 1);
  CHECK(finding->evidence[0].value == "app.Hot$Inner.<init>");
  CHECK(has(finding->command, "-I '^app\\.Hot\\$Inner\\.\\<init\\>$' "));
}

TEST_CASE("findings: the most severe come first") {
  MadeEvents made = with_samples(200, {"app.Hot.loop"});
  made.add("jdk.CodeCacheFull", 5, {{"codeBlobType", text("all")}});
  const Findings findings = findings_in(made);
  REQUIRE(findings.found.size() == 2);
  CHECK(findings.found[0].rule == "code-cache");
  CHECK(findings.any(Severity::kSerious));
  CHECK(findings.found[1].severity == Severity::kNote);
}

TEST_CASE("findings: a threshold can be set, and one that makes no sense is refused with the nearest") {
  FindingOptions options;
  CHECK(add_threshold("hot-method=50", options).ok());
  CHECK(finding_of(findings_in(with_samples(200, {"app.Hot.loop"}), options), "hot-method") == nullptr);
  CHECK(has(add_threshold("hot-methods=50", options).error().what, "did you mean hot-method?"));
  for (const char* wrong :
       {"hot-method", "hot-method=", "hot-method=x", "hot-method=-1", "hot-method=nan", "hot-method=1e999"})
    CHECK_FALSE(add_threshold(wrong, options).ok());
}

TEST_CASE("damage: a name of any length is kept in part, between characters") {
  std::string name = "app.";
  while (name.size() < 100'000) name += "\u20ac";
  MadeEvents made;
  for (int i = 0; i < 150; ++i)
    made.add("jdk.Deoptimization", i, {{"method", text("app.Main.run()")}, {"reason", text(name.substr(0, 9001))}});
  const Findings findings = findings_in(made);
  const Finding* finding = finding_of(findings, "deoptimizations");
  REQUIRE(finding != nullptr);
  REQUIRE(finding->evidence.size() == 2);
  CHECK(finding->evidence[1].value.size() > 4000);
  CHECK(finding->evidence[1].value.size() <= 4096);
  CHECK(finding->evidence[1].value.ends_with("\u20ac"));
}

TEST_CASE("damage: hostile numbers overflow no sum") {
  MadeEvents made;
  for (const int64_t number : {INT64_MIN, INT64_MAX, int64_t{-1}, int64_t{0}}) {
    for (int i = 0; i < 3; ++i) {
      collection(made, "G1Full", "System.gc()", 10, number / 1'000'000);
      made.add("jdk.GCHeapSummary", 11, {{"when", text("After GC")}, {"heapUsed", whole(number)}});
      made.add("jdk.ContainerCPUThrottling", 1,
               {{"cpuElapsedSlices", whole(number)},
                {"cpuThrottledSlices", whole(number)},
                {"cpuThrottledTime", whole(number)}});
      made.add("rec.Counters", 1, {{"cause", text("logFull")}, {"count", whole(number)}});
      made.add("jdk.ExceptionStatistics", 1, {{"throwables", whole(number)}});
      made.add("jdk.CPULoad", 1,
               {{"jvmUser", real(1e308)}, {"jvmSystem", real(1e308)}, {"machineTotal", real(-1e308)}});
      made.add("jdk.GCHeapConfiguration", 1, {{"maxSize", whole(number)}, {"usesCompressedOops", whole(number)}});
      made.add("rec.TimeToSafepoint", 1, {{"duration", whole(number)}, {"safepointId", whole(number)}});
      made.add("jdk.ClassLoadingStatistics", i,
               {{"loadedClassCount", whole(number)}, {"unloadedClassCount", whole(number)}});
    }
  }
  const Findings findings = findings_in(made);
  CHECK(finding_of(findings, "system-gc") != nullptr);
}

}  // namespace test::findings_rules
