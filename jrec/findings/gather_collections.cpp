// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/gather.h"

namespace jrec {
namespace {

void take_pause(EventCells& event, Facts& facts) {
  facts.gc.by_jvm[facts.jvm].phases.add(event.start_ns(), event.length_ns());
}

// Names as HotSpot's GCName has them: young, or not told (rec). All others are of the whole heap, at once or concurrent.
bool of_whole_heap(std::string_view name) {
  for (const std::string_view other : {"G1New", "DefNew", "ParNew", "ParallelScavenge", "ZGC Minor", "N/A", ""})
    if (name == other) return false;
  return true;
}

bool is_concurrent(std::string_view name) {
  return name.starts_with("Z") || name.starts_with("Shenandoah") || name == "G1Old";
}

// Of the chunk's JVM; null: there are too many.
HeapFacts* heap_of(Facts& facts) {
  std::map<uint32_t, HeapFacts>& heaps = facts.gc.heaps;
  if (const auto known = heaps.find(facts.jvm); known != heaps.end()) return &known->second;
  return heaps.size() < kMostHeaps ? &heaps[facts.jvm] : nullptr;
}

void take_asked_for(EventCells& event, std::string_view name, double pauses, JvmCollections& of_jvm) {
  of_jvm.asked_for.add(event.start_ns(), pauses);
  const bool is_young = name == "ParallelScavenge";
  if (is_young || of_whole_heap(name)) of_jvm.pairs.add(static_cast<uint64_t>(event.integer("gcId")), is_young);
}

void take_collection(EventCells& event, Facts& facts) {
  const double pauses = event.number("sumOfPauses");
  const std::string name = event.text("name");
  const std::string cause = event.text("cause");
  JvmCollections& of_jvm = facts.gc.by_jvm[facts.jvm];
  if (is_concurrent(name) && pauses == event.length_ns()) facts.gc.tells_pauses = of_jvm.tells_pauses = true;
  facts.gc.collections.add(event.start_ns(), pauses);
  of_jvm.collections.add(event.start_ns(), pauses);
  if (cause == kSystemGc) take_asked_for(event, name, pauses, of_jvm);
  if (cause == kStallCause) of_jvm.of_stalls.add(event.start_ns(), pauses);
  facts.gc.by_cause.add({name, cause}, event.start_ns(), pauses);
  if (!of_whole_heap(name)) return;
  if (HeapFacts* heap = heap_of(facts)) heap->whole.add(event.start_ns(), 0);
}

void take_heap_summary(EventCells& event, Facts& facts) {
  if (event.text("when") != "After GC") return;
  if (HeapFacts* heap = heap_of(facts)) heap->after.add(event.start_ns(), event.number("heapUsed"));
}

void take_explicit_call(EventCells& event, Facts& facts) {
  ++facts.gc.by_jvm[facts.jvm].calls;
  facts.gc.explicit_calls.add({event.text("stackTrace.@site")}, event.start_ns(), event.length_ns());
}

void take_allocation_stall(EventCells& event, Facts& facts) {
  ++facts.gc.by_jvm[facts.jvm].stalls;
  facts.gc.stalls.add({event.text("eventThread")}, event.start_ns(), event.length_ns());
}

void take_evacuation_failure(EventCells& event, Facts& facts) {
  facts.gc.failures.add({"evacuation"}, event.start_ns(), 1);
}
void take_promotion_failure(EventCells& event, Facts& facts) {
  facts.gc.failures.add({"promotion"}, event.start_ns(), 1);
}

// Of the time that loads tell of.
void take_collector_cpu(EventCells& event, Facts& facts) {
  if (event.start_ns() < facts.machine.empty_loads.told_from_ns(facts.jvm).value_or(event.start_ns())) return;
  facts.gc.cpu_ns += event.number("userTime") + event.number("systemTime");
  facts.gc.has_cpu = true;
}

void take_live_object(EventCells& event, Facts& facts) {
  facts.gc.live_objects.add({event.text("objectClass"), event.text("stackTrace.@site")}, event.start_ns(), 1);
}
void take_old_object(EventCells& event, Facts& facts) {
  facts.gc.live_objects.add({event.text("object.type"), event.text("stackTrace.@site")}, event.start_ns(), 1);
}

constexpr Gatherer kCollectionGatherers[] = {
    {"jdk.GCPhasePause", take_pause},
    {"jdk.GarbageCollection", take_collection},
    {"jdk.GCHeapSummary", take_heap_summary},
    {"jdk.SystemGC", take_explicit_call},
    {"jdk.ZAllocationStall", take_allocation_stall},
    {"jdk.EvacuationFailed", take_evacuation_failure},
    {"jdk.PromotionFailed", take_promotion_failure},
    {"jdk.GCCPUTime", take_collector_cpu},
    {"profiler.LiveObject", take_live_object},
    {"jdk.OldObjectSample", take_old_object},
};

}  // namespace

std::span<const Gatherer> collection_gatherers() { return kCollectionGatherers; }

}  // namespace jrec
