// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/collection_words.h"

#include <span>

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {
namespace {

// What the counters call it, and what GCName does.
struct Named {
  std::string_view counter, name;
};
constexpr Named kNamed[] = {
    {"Serial young collection pauses", "DefNew"},
    {"Serial full collection pauses", "SerialOld"},
    {"Parallel young collection pauses", "ParallelScavenge"},
    {"Parallel full collection pauses", "ParallelOld"},
    {"G1 young collection pauses", "G1New"},
    {"G1 full collection pauses", "G1Full"},
    {"G1 concurrent cycle pauses", "G1Old"},
    {"Shenandoah partial", "Shenandoah"},
    {"Shenandoah full", "Shenandoah"},
    {"Z concurrent cycle pauses", "Z"},
    {"ZGC minor collection pauses", "ZGC Minor"},
    {"ZGC major collection pauses", "ZGC Major"},
};

std::string_view name_at(uint64_t address) {
  const PerfText text = perf_text_at(address);
  for (const Named& named : kNamed)
    if (named.counter == text.data()) return named.name;
  return {};
}

constexpr std::string_view kWithoutCause = "G1Old";

}  // namespace

void CollectionWords::open() {
  uint64_t names[kMaxCollectors] = {}, entered[kMaxCollectors] = {};
  const PerfEntry wanted[] = {{"sun.gc.collector.0.name", &names[0]},
                              {"sun.gc.collector.1.name", &names[1]},
                              {"sun.gc.collector.2.name", &names[2]},
                              {"sun.gc.collector.0.lastEntryTime", &entered[0]},
                              {"sun.gc.collector.1.lastEntryTime", &entered[1]},
                              {"sun.gc.collector.2.lastEntryTime", &entered[2]},
                              {"sun.gc.cause", &cause_},
                              {"sun.gc.lastCause", &last_cause_}};
  count_ = 0;
  if (!find_perf_entries(wanted)) return;
  for (size_t i = 0; i < kMaxCollectors; ++i)
    if (names[i] != 0 && entered[i] != 0) collectors_[count_++] = {name_at(names[i]), entered[i]};
}

// Some collectors say why only after they have told of the begin, and take it back before they tell of the end. The
// pauses of G1's concurrent cycle have no cause of their own: what stands there is of a collection before.
LastCollection CollectionWords::last() const {
  LastCollection last;
  uint64_t latest = 0;
  for (const Collector& collector : std::span(collectors_).first(count_)) {
    const uint64_t at = u64_at(collector.entered);
    if (at < latest) continue;
    latest = at;
    last.collector = collector.name;
  }
  last.cause = perf_text_at(cause_);
  if (last.cause.data() != kNoCollection) return last;
  last.cause = last.collector == kWithoutCause ? PerfText{} : perf_text_at(last_cause_);
  return last;
}

}  // namespace rec::agent
