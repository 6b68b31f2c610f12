// SPDX-License-Identifier: Apache-2.0
// Garbage collections: what they cost, why they come, and whether what lives grows.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/plural.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

Lengths pauses_of(const Facts& facts) {
  Lengths pauses;
  for (const auto& [jvm, its] : facts.gc.by_jvm) pauses.add(its.pauses());
  return pauses;
}

// Whether jdk.GCPhasePause has the pauses of all JVMs, so that a view of these events shows them.
bool all_have_phases(const Facts& facts) {
  return std::ranges::all_of(facts.gc.by_jvm, [](const auto& jvm) {
    return jvm.second.phases.count != 0 || jvm.second.collections.count == 0;
  });
}

bool has_collections(const Facts& facts, Verdict& verdict) {
  if (facts.gc.collections.count != 0) return true;
  if (verdict.recorded(facts, "jdk.GarbageCollection")) verdict.unjudged("there was no collection");
  return false;
}

// Not told: in recordings of rec without the JVM's counters.
bool has_causes(const Facts& facts, Verdict& verdict) {
  if (!has_collections(facts, verdict)) return false;
  for (const auto& [key, lengths] : facts.gc.by_cause.rows())
    if (!key[1].empty() && key[1] != "N/A") return true;
  verdict.unjudged("why collections came is not told");
  return false;
}

void add_main_cause(const Facts& facts, Finding& finding) {
  const auto largest = facts.gc.by_cause.largest(1);
  if (largest.empty() || largest[0].first[1].empty() || largest[0].first[1] == "N/A") return;
  finding.evidence.push_back({"collector", largest[0].first[0]});
  finding.evidence.push_back({"cause", largest[0].first[1]});
}

// How often collections had one of these causes, or names.
template <typename Wanted>
Lengths sum_of(const Ranking& by_cause, Wanted wanted) {
  Lengths sum;
  for (const auto& [key, lengths] : by_cause.rows())
    if (wanted(key[0], key[1])) sum.add(lengths);
  return sum;
}

// By the program, jcmd or an agent, whatever is free.
bool was_asked_for(const std::string& cause) {
  for (const std::string_view other :
       {kSystemGc, std::string_view("Heap Inspection Initiated GC"), std::string_view("Heap Dump Initiated GC"),
        std::string_view("Diagnostic Command"), std::string_view("JvmtiEnv ForceGarbageCollection")})
    if (cause == other) return true;
  return cause.starts_with("WhiteBox");
}

// What makes collections less: `otherwise`, if most of their time is not in such as were asked for, which a heap of any size has.
std::string advice_for(const Facts& facts, const char* otherwise) {
  const Lengths& all = facts.gc.collections;
  const Lengths asked =
      sum_of(facts.gc.by_cause, [](const std::string&, const std::string& cause) { return was_asked_for(cause); });
  const Lengths by_program =
      sum_of(facts.gc.by_cause, [](const std::string&, const std::string& cause) { return cause == kSystemGc; });
  if (asked.total * 2 <= all.total) return otherwise;
  const bool program = by_program.total * 2 > asked.total;
  return fmt::format("{} of {} {}, {} of {}, were asked for{}: a larger heap does not make these less. {}", asked.count,
                     all.count, facts.gc.tells_pauses ? "pauses" : "collections", time_words(asked.total),
                     time_words(all.total),
                     !program                          ? " from outside"
                     : by_program.count == asked.count ? " by System.gc()"
                                                       : ", most of them by System.gc()",
                     program ? "Without the call, or with -XX:+DisableExplicitGC, they do not come."
                             : "They come of heap dumps and histograms, jcmd GC.run, or an agent.");
}

void judge_pauses(const Facts& facts, Verdict& verdict) {
  if (!has_collections(facts, verdict) || !verdict.long_enough(facts)) return;
  constexpr double kMuch = 4;  // thresholds
  const Lengths pauses = pauses_of(facts);
  const double share = pauses.total / static_cast<double>(facts.jvms_ns) * 100;
  if (share < verdict.threshold()) return;
  Finding& finding = verdict.found(
      share >= kMuch * verdict.threshold() ? Severity::kSerious : Severity::kWarning, share,
      fmt::format("{} of the time is pauses for collections", percent_words(share)),
      fmt::format("The program stood still {} for {} in all, the longest pause took {}. {}", times_words(pauses.count),
                  time_words(pauses.total), time_words(pauses.longest),
                  advice_for(facts,
                             "A larger heap, less allocation, or a concurrent collector (ZGC, Shenandoah) makes "
                             "that less.")));
  add_main_cause(facts, finding);
  finding.command = verdict.command(all_have_phases(facts) ? "view gc-pauses gc" : "view gc");
}

void judge_longest_pause(const Facts& facts, Verdict& verdict) {
  if (!has_collections(facts, verdict)) return;
  constexpr double kVeryLong_ns = 5e9;
  const Lengths pauses = pauses_of(facts);
  if (pauses.longest < verdict.threshold() * 1e6) return;
  Finding& finding =
      verdict.found(pauses.longest >= kVeryLong_ns ? Severity::kSerious : Severity::kWarning, pauses.longest / 1e6,
                    fmt::format("A collection stopped the program for {}", time_words(pauses.longest)),
                    fmt::format("That is the longest of {} pauses, which are {} long on average.", pauses.count,
                                time_words(pauses.total / static_cast<double>(pauses.count))));
  tell_longest_of(pauses, finding);
  add_main_cause(facts, finding);
  finding.command = verdict.command(all_have_phases(facts) ? "view long-pauses" : "view gc");
}

// The least that was in use between a collection of the whole heap and the next: no more than that lives.
std::vector<Course::Point> floors_of(const HeapFacts& heap) {
  std::vector<Course::Point> floors;
  const std::vector<Course::Point> whole = heap.whole.in_order();
  size_t next = 0;
  for (const Course::Point& after : heap.after.in_order()) {
    bool opened = false;
    while (next < whole.size() && whole[next].at_ns <= after.at_ns) ++next, opened = true;
    if (next == 0) continue;
    if (opened)
      floors.push_back(after);
    else if (after.value < floors.back().value)
      floors.back() = after;
  }
  return floors;
}

// What is sampled as alive: of most of these objects.
void add_live_objects(const Facts& facts, Finding& finding) {
  const auto largest = facts.gc.live_objects.largest(1);
  if (largest.empty()) return;
  const auto& [key, lengths] = largest[0];
  finding.evidence.push_back({"class", key[0]});
  if (!key[1].empty()) finding.evidence.push_back({"method", key[1]});
  finding.text += fmt::format(" Of {} sampled objects that live, {} are {}{}.", facts.gc.live_objects.all().count,
                              lengths.count, key[0], key[1].empty() ? "" : ", allocated in " + key[1]);
}

// Less than that grows while a program warms up: 2 % of what the heap may have, where that is told; 64 MB of a large one.
bool is_much_growth(const Thirds& thirds, const HeapFacts& heap) {
  constexpr double kShare = 0.02, kEnough = 64 << 20;
  return heap.most <= 0 || thirds.lowest[2] - thirds.lowest[0] >= std::min(heap.most * kShare, kEnough);
}

// Rising all the way: each third's lowest floor is above that of the third before (Thirds). The first floor is the start of the program's.
void judge_rising_heap(const Facts& facts, Verdict& verdict) {
  constexpr size_t kEnoughFloors = 7;
  if (!verdict.recorded(facts, "jdk.GCHeapSummary") || !has_collections(facts, verdict)) return;
  std::vector<Course::Point> floors;  // of the JVM whose heap grew most
  Thirds thirds;
  size_t most_floors = 0;
  for (const auto& [jvm, heap] : facts.gc.heaps) {
    std::vector<Course::Point> of_jvm = floors_of(heap);
    most_floors = std::max(most_floors, of_jvm.size());
    if (of_jvm.size() < kEnoughFloors) continue;
    of_jvm.erase(of_jvm.begin());
    Thirds grown = thirds_of(of_jvm, verdict.threshold());
    if (!is_much_growth(grown, heap)) grown.growth = 0;
    if (floors.empty() || grown.growth > thirds.growth) thirds = grown, floors = std::move(of_jvm);
  }
  if (floors.empty())
    return verdict.unjudged(
        too_few(most_floors, "collections of the whole heap, which alone show what lives", kEnoughFloors));
  if (thirds.growth == 0 || thirds.growth < verdict.threshold()) return;
  Finding& finding =
      verdict.found(Severity::kWarning, thirds.growth,
                    fmt::format("What lives in the heap grew by {}: perhaps a leak", percent_words(thirds.growth)),
                    fmt::format("At least {} lived in the first third of the recording, {} in the second and {} in the "
                                "last, by {} collections of "
                                "the whole heap.",
                                size_words(thirds.lowest[0]), size_words(thirds.lowest[1]),
                                size_words(thirds.lowest[2]), floors.size()));
  add_live_objects(facts, finding);
  finding.from_ns = floors.front().at_ns;
  finding.to_ns = floors.back().at_ns;
  finding.command = verdict.command(facts.gc.live_objects.all().count == 0 ? "view gc" : "flame -o flame.html -e live");
}

// What System.gc() did, as each JVM tells it.
struct ExplicitCalls {
  uint64_t count = 0;  // calls, and of JVMs that do not tell these what came of them
  bool calls = false, pauses = false;
  Lengths collections;
};
ExplicitCalls explicit_calls(const Facts& facts) {
  ExplicitCalls all;
  for (const auto& [jvm, its] : facts.gc.by_jvm) {
    const uint64_t count = its.calls != 0 ? its.calls : its.asked_for.count;
    const bool pauses = its.calls == 0 && its.tells_pauses;
    all.count += count;
    all.pauses |= count != 0 && pauses;
    all.calls |= count != 0 && !pauses;
    all.collections.add(its.asked_for);
  }
  return all;
}

// One call may be several collections, and several pauses: jdk.SystemGC tells calls, where there is any.
void judge_system_gc(const Facts& facts, Verdict& verdict) {
  if (!has_causes(facts, verdict)) return;
  const ExplicitCalls asked = explicit_calls(facts);
  const uint64_t count = asked.count;
  if (!verdict.reached_by(count)) return;
  const char* const did = !asked.pauses ? "was called"
                          : asked.calls ? "was called, or stopped the program,"
                                        : "stopped the program";
  Finding& finding = verdict.found(
      Severity::kWarning, static_cast<double>(count), fmt::format("System.gc() {} {}", did, times_words(count)),
      fmt::format("These collections stopped the program for {} in all. {}-XX:+DisableExplicitGC leaves them out.",
                  time_words(asked.collections.total),
                  facts.gc.by_cause.rows().contains({"G1Full", "System.gc()"})
                      ? "-XX:+ExplicitGCInvokesConcurrent makes them concurrent, "
                      : ""));
  const auto callers = facts.gc.explicit_calls.largest(1);
  if (!callers.empty() && !callers[0].first[0].empty()) finding.evidence.push_back({"method", callers[0].first[0]});
  finding.evidence.push_back({"cause", "System.gc()"});
  const bool all_tell = std::ranges::none_of(
      facts.gc.by_jvm, [](const auto& jvm) { return jvm.second.calls == 0 && jvm.second.asked_for.count != 0; });
  finding.command = verdict.command(all_tell ? "view jdk.SystemGC" : "view gc");
}

// Somebody asked for it, or metaspace did: other rules tell of these.
bool has_a_rule(const std::string& cause) {
  return was_asked_for(cause) || cause == "Metadata GC Threshold" || cause == "Metadata GC Clear Soft References";
}

void judge_full(const Facts& facts, Verdict& verdict) {
  if (!has_causes(facts, verdict)) return;
  const Lengths full = sum_of(facts.gc.by_cause, [](const std::string& name, const std::string& cause) {
    return name == "G1Full" && !has_a_rule(cause);
  });
  if (!verdict.reached_by(full.count)) return;
  Finding& finding = verdict.found(Severity::kWarning, static_cast<double>(full.count),
                                   fmt::format("G1 fell back to a full collection {}", times_words(full.count)),
                                   fmt::format("They took {} in all, the longest {}. The heap was full before the "
                                               "concurrent cycle had ended: it is too small, or "
                                               "filled too fast, or by objects larger than half a region.",
                                               time_words(full.total), time_words(full.longest)));
  finding.evidence.push_back({"collector", "G1Full"});
  tell_longest_of(full, finding);
  finding.command = verdict.command("view gc");
}

void judge_humongous(const Facts& facts, Verdict& verdict) {
  if (!has_causes(facts, verdict)) return;
  const Lengths large = sum_of(facts.gc.by_cause, [](const std::string&, const std::string& cause) {
    return cause == "G1 Humongous Allocation";
  });
  if (!verdict.reached_by(large.count)) return;
  Finding& finding = verdict.found(Severity::kWarning, static_cast<double>(large.count),
                                   fmt::format("Objects larger than half a region of G1 started {} collection{}",
                                               large.count, large.count == 1 ? "" : "s"),
                                   "Such objects get regions of their own, which are not moved. Larger regions "
                                   "(-XX:G1HeapRegionSize) or smaller arrays avoid that.");
  finding.evidence.push_back({"cause", "G1 Humongous Allocation"});
  finding.command = verdict.command(facts.allocation.samples == 0 ? "view gc" : "flame -o flame.html -e alloc");
}

void judge_metaspace(const Facts& facts, Verdict& verdict) {
  if (!has_causes(facts, verdict)) return;
  const Lengths raised = sum_of(
      facts.gc.by_cause, [](const std::string&, const std::string& cause) { return cause.starts_with("Metadata GC"); });
  const uint64_t failures = facts.vm.metaspace_full.count;
  if (failures == 0 && !verdict.reached_by(raised.count)) return;
  std::string text =
      "Each time the limit is raised a little (-XX:MetaspaceSize sets where it begins), or -XX:MaxMetaspaceSize is "
      "near: "
      "look which classes are loaded again and again.";
  if (failures != 0) text = fmt::format("An allocation of metaspace failed {}. {}", times_words(failures), text);
  Finding& finding =
      verdict.found(failures == 0 ? Severity::kWarning : Severity::kSerious, static_cast<double>(raised.count),
                    raised.count == 0 ? "Metaspace was full"
                                      : fmt::format("Metaspace was full: {} {} came of it", raised.count,
                                                    facts.gc.tells_pauses ? "pauses for collections" : "collections"),
                    text);
  finding.evidence.push_back({"cause", "Metadata GC Threshold"});
  finding.command = verdict.command("view gc");
}

constexpr const char* kWhyStalls =
    "the heap is too small for what is allocated during a cycle, or the collector gets too little CPU.";

// Where no event tells who waited, the collections that came of it still do.
void judge_stalls_by_cause(const Facts& facts, const Lengths& collections, Verdict& verdict) {
  if (!verdict.reached_by(collections.count)) return;
  Finding& finding =
      verdict.found(Severity::kSerious, static_cast<double>(collections.count), "Threads waited for ZGC to free memory",
                    fmt::format("{} {} came of it: {}", collections.count,
                                facts.gc.tells_pauses ? "pauses for collections" : "collections", kWhyStalls));
  finding.evidence.push_back({"cause", "Allocation Stall"});
  tell_all_of(collections, finding);
  finding.command = verdict.command("view gc");
}

void judge_stalls(const Facts& facts, Verdict& verdict) {
  const Lengths& stalls = facts.gc.stalls.all();
  Lengths came_of_them;  // of JVMs that do not tell who waited
  for (const auto& [jvm, its] : facts.gc.by_jvm)
    if (its.stalls == 0) came_of_them.add(its.of_stalls);
  if (stalls.count == 0 && came_of_them.count != 0) return judge_stalls_by_cause(facts, came_of_them, verdict);
  if (!verdict.recorded(facts, "jdk.ZAllocationStall") || !verdict.reached_by(stalls.count)) return;
  Finding& finding = verdict.found(Severity::kSerious, static_cast<double>(stalls.count),
                                   fmt::format("Threads waited for ZGC to free memory, {}", times_words(stalls.count)),
                                   fmt::format("They stalled for {} in all, for {} at the longest: {}",
                                               time_words(stalls.total), time_words(stalls.longest), kWhyStalls));
  if (came_of_them.count != 0)
    finding.text +=
        fmt::format(" Collections that came of it in JVMs that do not tell who stalled: {}.", came_of_them.count);
  const auto largest = facts.gc.stalls.largest(1);
  if (!largest.empty()) finding.evidence.push_back({"thread", largest[0].first[0]});
  tell_all_of(stalls, finding);
  finding.command = verdict.command("view jdk.ZAllocationStall");
}

void judge_failures(const Facts& facts, Verdict& verdict) {
  if (!facts.records("jdk.EvacuationFailed") && !verdict.recorded(facts, "jdk.PromotionFailed")) return;
  const Lengths& failures = facts.gc.failures.all();
  if (!verdict.reached_by(failures.count)) return;
  Finding& finding =
      verdict.found(Severity::kWarning, static_cast<double>(failures.count),
                    fmt::format("{} had no room to copy to", plural(failures.count, "collection")),
                    "Objects that could not be moved stayed where they were, which makes such a pause long and a full "
                    "collection near. A "
                    "larger heap or an earlier concurrent cycle (-XX:InitiatingHeapOccupancyPercent) leaves room.");
  finding.evidence.push_back({"cause", facts.gc.failures.rows().begin()->first[0] + " failed"});
  tell_all_of(failures, finding);
  finding.command = verdict.command("view gc");
}

// The JVMs' CPU time: their average share of the machine, times the processors and the time of each.
void judge_collector_cpu(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.GCCPUTime") || !has_collections(facts, verdict) || !verdict.long_enough(facts))
    return;
  const MachineFacts& machine = facts.machine;
  if (machine.loads.count == 0 || machine.hardware_threads <= 0)
    return verdict.unjudged("the CPU time of the whole JVM is not known: no jdk.CPULoad or jdk.CPUInformation");
  const double all_ns = machine.jvm / static_cast<double>(machine.loads.count) *
                        static_cast<double>(machine.hardware_threads) * static_cast<double>(facts.jvms_ns);
  const double share = all_ns > 0 ? facts.gc.cpu_ns / all_ns * 100 : 0;
  if (share > 100) return verdict.unjudged("jdk.CPULoad tells of less CPU time than the collector has used");
  constexpr double kLeastOfTime = 0.01;  // one collection is much of what an idle program uses
  if (share < verdict.threshold() || facts.gc.cpu_ns < static_cast<double>(facts.jvms_ns) * kLeastOfTime) return;
  Finding& finding = verdict.found(Severity::kWarning, share,
                                   fmt::format("The collector uses {} of the JVM's CPU time", percent_words(share)),
                                   fmt::format("Its threads have used {} in pauses. {}", time_words(facts.gc.cpu_ns),
                                               advice_for(facts, "A larger heap means fewer collections.")));
  add_main_cause(facts, finding);
  finding.command = verdict.command("view gc-cpu-time");
}

constexpr Rule kCollectionRules[] = {
    {"gc-pauses", 5, "%", "share of the time in pauses for collections", judge_pauses},
    {"gc-longest-pause", 500, "ms", "the longest pause for a collection", judge_longest_pause},
    {"heap-rising", 20, "%", "growth of what lives, from the first third of the recording to the last",
     judge_rising_heap},
    {"system-gc", 1, "", "collections by System.gc()", judge_system_gc},
    {"full-gc", 1, "", "full collections that G1 fell back to", judge_full},
    {"gc-no-room", 1, "", "collections that found no room to copy to", judge_failures},
    {"allocation-stalls", 1, "", "threads that waited for ZGC to free memory", judge_stalls},
    {"humongous", 3, "", "collections that objects larger than half a region started", judge_humongous},
    {"metaspace", 5, "", "collections because metaspace was full", judge_metaspace},
    {"gc-cpu", 20, "%", "the collector's share of the JVM's CPU time", judge_collector_cpu},
};

}  // namespace

std::span<const Rule> collection_rules() { return kCollectionRules; }

}  // namespace jrec
