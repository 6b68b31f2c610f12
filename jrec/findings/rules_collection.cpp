// SPDX-License-Identifier: Apache-2.0
// Garbage collections: what they cost, and who asked for them.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/findings/collection_causes.h"
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

void add_main_cause(const Facts& facts, Finding& finding) {
  const auto largest = facts.gc.by_cause.largest(1);
  if (largest.empty() || largest[0].first[1].empty() || largest[0].first[1] == "N/A") return;
  finding.evidence.push_back({"collector", largest[0].first[0]});
  finding.evidence.push_back({"cause", largest[0].first[1]});
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
  if (!has_collections(facts, verdict)) return;
  const Lengths pauses = pauses_of(facts);
  if (!is_enough_time(facts, pauses.total) && !verdict.long_enough(facts)) return;
  constexpr double kMuch = 4;  // thresholds
  const double share = share_of_time(facts, pauses.total);
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

// What System.gc() did, as each JVM tells it.
struct ExplicitCalls {
  uint64_t count = 0;  // calls, and of JVMs that do not tell these what came of them
  bool calls = false, pauses = false;
  Lengths collections;
};
ExplicitCalls explicit_calls(const Facts& facts) {
  ExplicitCalls all;
  for (const auto& [jvm, its] : facts.gc.by_jvm) {
    const uint64_t count = its.calls != 0 ? its.calls : its.asked_for.count - its.pairs.count();
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

// The JVMs' CPU time: their average share of the machine, times the processors and the time of each that loads tell of.
void judge_collector_cpu(const Facts& facts, Verdict& verdict) {
  if (!verdict.recorded(facts, "jdk.GCCPUTime") || !has_collections(facts, verdict)) return;
  if (!is_enough_time(facts, facts.gc.cpu_ns) && !verdict.long_enough(facts)) return;
  const MachineFacts& machine = facts.machine;
  if (machine.loads.count == 0 || machine.hardware_threads <= 0)
    return verdict.unjudged("the CPU time of the whole JVM is not known: no jdk.CPULoad or jdk.CPUInformation");
  const double all_ns = machine.jvm / static_cast<double>(machine.loads.count) *
                        static_cast<double>(machine.hardware_threads) * static_cast<double>(machine.told_ns);
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
    {"system-gc", 1, "", "collections by System.gc()", judge_system_gc},
    {"full-gc", 1, "", "full collections that G1 fell back to", judge_full},
    {"gc-cpu", 20, "%", "the collector's share of the JVM's CPU time", judge_collector_cpu},
};

}  // namespace

std::span<const Rule> collection_rules() { return kCollectionRules; }

}  // namespace jrec
