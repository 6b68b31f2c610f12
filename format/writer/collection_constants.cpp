// SPDX-License-Identifier: Apache-2.0
#include "format/writer/collection_constants.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace jfr {
namespace {

// The first has the key 1. New ones go to the end.
constexpr std::string_view kNames[] = {
    "N/A",    "DefNew", "SerialOld", "ParallelScavenge", "ParallelOld", "G1New",
    "G1Full", "G1Old",  "Z",         "ZGC Minor",        "ZGC Major",   "Shenandoah",
};

constexpr std::string_view kCauses[] = {
    "N/A",
    "System.gc()",
    "FullGCAlot",
    "ScavengeAlot",
    "Allocation Profiler",
    "JvmtiEnv ForceGarbageCollection",
    "GCLocker Initiated GC",
    "Heap Inspection Initiated GC",
    "Heap Dump Initiated GC",
    "WhiteBox Initiated Young GC",
    "WhiteBox Initiated Concurrent Mark",
    "WhiteBox Initiated Full GC",
    "WhiteBox Initiated Run to Breakpoint",
    "Full GC for -Xshare:dump",
    "Allocation Failure",
    "Tenured Generation Full",
    "CodeCache GC Threshold",
    "CodeCache GC Aggressive",
    "Metadata GC Threshold",
    "Metadata GC Clear Soft References",
    "Old Generation Expanded On Last Scavenge",
    "Old Generation Too Full To Scavenge",
    "Ergonomics",
    "G1 Evacuation Pause",
    "G1 Compaction Pause",
    "G1 Humongous Allocation",
    "G1 Periodic Collection",
    "G1 Preventive Collection",
    "Last ditch collection",
    "Diagnostic Command",
    "Stopping VM",
    "Concurrent GC",
    "Upgrade To Full GC",
    "Humongous Allocation Failure",
    "Timer",
    "Warmup",
    "Allocation Rate",
    "Allocation Stall",
    "Proactive",
    "High Usage",
};

uint64_t key_of(std::span<const std::string_view> texts, std::string_view text) {
  const auto found = std::ranges::find(texts, text);
  return found == texts.end() ? 1 : static_cast<uint64_t>(found - texts.begin()) + 1;
}

void add(CheckpointBuilder& builder, TypeId type, std::span<const std::string_view> texts) {
  for (size_t i = 0; i < texts.size(); ++i) builder.pool(type).entry(i + 1).text(texts[i]);
}

}  // namespace

uint64_t gc_name_key(std::string_view text) { return key_of(kNames, text); }
uint64_t gc_cause_key(std::string_view text) { return key_of(kCauses, text); }
uint64_t known_gc_name(uint64_t key) { return key - 1 < std::size(kNames) ? key : kGcNameUnknown; }
uint64_t known_gc_cause(uint64_t key) { return key - 1 < std::size(kCauses) ? key : kGcCauseUnknown; }

void add_collection_constants(CheckpointBuilder& builder) {
  add(builder, TypeId::kGcName, kNames);
  add(builder, TypeId::kGcCause, kCauses);
}

}  // namespace jfr
