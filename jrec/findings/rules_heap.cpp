// SPDX-License-Identifier: Apache-2.0
// The heap and metaspace: whether what lives grows, and what comes of too little room.
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/plural.h"
#include "jrec/findings/collection_causes.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

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
  if (!has_collections(facts, verdict) || !verdict.recorded(facts, "jdk.GCHeapSummary")) return;
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

constexpr Rule kHeapRules[] = {
    {"heap-rising", 20, "%", "growth of what lives, from the first third of the recording to the last",
     judge_rising_heap},
    {"gc-no-room", 1, "", "collections that found no room to copy to", judge_failures},
    {"allocation-stalls", 1, "", "threads that waited for ZGC to free memory", judge_stalls},
    {"humongous", 3, "", "collections that objects larger than half a region started", judge_humongous},
    {"metaspace", 5, "", "collections because metaspace was full", judge_metaspace},
};

}  // namespace

std::span<const Rule> heap_rules() { return kHeapRules; }

}  // namespace jrec
