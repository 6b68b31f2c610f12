// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_kind.h"

#include <algorithm>

#include "jrec/select/event_names.h"

namespace jrec {
namespace {

struct Measured {
  std::string_view type, weight, unit, about;
};

constexpr Measured kMeasured[] = {
    {"jdk.ObjectAllocationSample", "weight", "bytes", "objectClass"},
    {"jdk.ObjectAllocationInNewTLAB", "tlabSize", "bytes", "objectClass"},
    {"jdk.ObjectAllocationOutsideTLAB", "allocationSize", "bytes", "objectClass"},
    {kLiveOfOthers, "allocationSize", "bytes", "objectClass"},
    {kLiveType, "weight", "bytes", ""},  // rec's; the JDK's own tell no weight, and are counted
    {"jdk.JavaMonitorEnter", "duration", "ns", "monitorClass"},
    {"jdk.ThreadPark", "duration", "ns", "parkedClass"},
    {"rec.MonitorOwner", "duration", "ns", "monitorClass"},
    {"jdk.JavaMonitorWait", "duration", "ns", "monitorClass"},
    {"jdk.ThreadSleep", "duration", "ns", ""},
    {"jdk.VirtualThreadPinned", "duration", "ns", ""},
    {"jdk.SocketRead", "duration", "ns", ""},
    {"jdk.SocketWrite", "duration", "ns", ""},
    {"jdk.FileRead", "duration", "ns", ""},
    {"jdk.FileWrite", "duration", "ns", ""},
    {"jdk.FileForce", "duration", "ns", ""},
    {"jdk.JavaExceptionThrow", "weight", "exceptions", "thrownClass"},
    {"jdk.JavaErrorThrow", "", "exceptions", "thrownClass"},
    {kWallType, "samples", "samples", ""},
    {"profiler.Malloc", "size", "bytes", ""},
};
constexpr Measured kOther = {"", "weight", "samples", ""};

const Measured& measured(std::string_view event_type) {
  for (const Measured& known : kMeasured)
    if (known.type == event_type) return known;
  return kOther;
}

}  // namespace

SampleKind::Types SampleKind::all_types() const {
  Types all;
  for (const Types& choice : choices) all.insert(all.end(), choice.begin(), choice.end());
  return all;
}

const SampleKind::Types& SampleKind::choice_with(size_t all_type) const {
  for (const Types& choice : choices) {
    if (all_type < choice.size()) return choice;
    all_type -= choice.size();
  }
  return choices.front();
}

SampleKind sample_kind(std::string_view event) {
  if (event == "alloc")
    return {{{"jdk.ObjectAllocationSample"}, {"jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB"}}};
  if (event == "io" || event == "file" || event == "socket") return {{event_types_for(event)}};
  if (event == "lock") return {{{"jdk.JavaMonitorEnter", "jdk.ThreadPark"}}};
  if (event == "wall") return {{{kWallType, "jdk.ExecutionSample", "jdk.NativeMethodSample"}}, true};
  SampleKind kind;
  for (const std::string_view type : event_types_for(event)) kind.choices.push_back({type});
  return kind;
}

WeightField weight_field(std::string_view event_type) {
  const Measured& known = measured(event_type);
  return {known.weight, known.unit == "ns"};
}

std::string_view weight_unit(std::string_view event_type, bool count_samples) {
  return count_samples ? kOther.unit : measured(event_type).unit;
}

bool tells_own_unit(std::string_view event_type) {
  return measured(event_type).type.empty() && !event_type.starts_with("jdk.") && !event_type.starts_with("rec.");
}

bool is_of_time(std::string_view event_type) { return measured(event_type).unit == kOther.unit; }

bool is_sample_type(std::string_view event_type) {
  return event_type != "jdk.ActiveSetting" && event_type != "jdk.ActiveRecording";
}

std::string_view class_field(std::string_view event_type) { return measured(event_type).about; }

}  // namespace jrec
