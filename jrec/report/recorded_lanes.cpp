// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/recorded_lanes.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "jrec/flame/page_json.h"
#include "jrec/safepoints/enabled_type.h"
#include "jrec/values/recorder.h"

namespace jrec {
namespace {

// Any of the types is enough.
struct LaneTypes {
  std::string_view lane;
  std::vector<std::string_view> types;
};

const std::vector<LaneTypes>& lane_types() {
  static const std::vector<LaneTypes> kAll = {
      {"CPU load", {"jdk.CPULoad"}},
      {"CPU samples", {"jdk.ExecutionSample", "jdk.CPUTimeSample"}},
      {"allocation",
       {"jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB"}},
      {"heap and collections", {"jdk.GarbageCollection", "jdk.GCHeapSummary"}},
      {"safepoints", {"rec.SafepointStop", "rec.TimeToSafepoint", "jdk.ExecuteVMOperation", "jdk.SafepointBegin"}},
      {"lock waits", {"jdk.JavaMonitorEnter", "jdk.ThreadPark"}},
      {"exceptions", {"jdk.JavaExceptionThrow", "jdk.ExceptionStatistics"}},
      {"memory", {"jdk.ResidentSetSize", "rec.MemoryUse"}},
      {"threads", {"jdk.JavaThreadStatistics"}},
  };
  return kAll;
}

}  // namespace

void RecordedLanes::begin(const jfr::read::Chunk& chunk) {
  setting_ = chunk.metadata().index_of(kSettingEvent);
  if (recorder_of(chunk.metadata()) == Recorder::kRec) types_.emplace(kAlwaysOfRec);
}

void RecordedLanes::add(CellReader& cells, const jfr::read::Event& event, uint32_t type) {
  jfr::read::Chunk& chunk = cells.fields().chunk();
  EventFields setting(chunk, event, chunk.metadata().types()[type]);
  if (const std::string_view enabled = enabled_type(chunk.metadata(), setting); !enabled.empty())
    types_.emplace(enabled);
}

void RecordedLanes::append_json(std::string& out) const {
  std::vector<std::string_view> recorded;
  for (const LaneTypes& each : lane_types())
    if (std::ranges::any_of(each.types, [&](std::string_view type) { return types_.contains(type); }))
      recorded.push_back(each.lane);
  append_list("recorded", recorded, out, [&](std::string_view lane) { append_shown(lane, out); });
}

}  // namespace jrec
