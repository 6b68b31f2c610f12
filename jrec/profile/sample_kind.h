// SPDX-License-Identifier: Apache-2.0
// SampleKind is what --event stands for where stacks are shown: event types whose samples are added up.
//
//   alloc   jdk.ObjectAllocationSample; without such events jdk.ObjectAllocationInNewTLAB and ...OutsideTLAB together
//   lock    jdk.JavaMonitorEnter and jdk.ThreadPark together
//   io      reads and writes of files and sockets together; file and socket these alone
//   wall    profiler.WallClockSample, jdk.ExecutionSample and jdk.NativeMethodSample together, but for samples whose
//           state says that they were of CPU time (async-profiler's STATE_DEFAULT); in rec's recordings the first alone
//   others  the first type of event_names.h that has events
//
// Of rec.MonitorOwner, where the owner of a monitor was, the weight is how long a thread waited for it meanwhile.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace jrec {

inline constexpr std::string_view kWallType = "profiler.WallClockSample";
inline constexpr std::string_view kLiveType = "jdk.OldObjectSample";
inline constexpr std::string_view kLiveOfOthers = "profiler.LiveObject";  // async-profiler's

struct SampleKind {
  using Types = std::vector<std::string_view>;
  std::vector<Types> choices;  // in order of preference: the first with events is shown, all of its types; never empty
  bool wall = false;           // samples of CPU time are left out

  Types all_types() const;                          // of all choices, in their order
  const Types& choice_with(size_t all_type) const;  // by index in all_types()
};

SampleKind sample_kind(std::string_view event);

// The field that says how much an event of that type stands for, and whether this is a duration.
struct WeightField {
  std::string_view name;
  bool is_duration = false;
};
WeightField weight_field(std::string_view event_type);

// "samples", "bytes", "ns", "exceptions".
std::string_view weight_unit(std::string_view event_type, bool count_samples);

// Types that are not known here, a program's own: the weight's field says by itself what it is of.
bool tells_own_unit(std::string_view event_type);

// Whether a sample of that type stands for time, CPU time or other.
bool is_of_time(std::string_view event_type);

// Whether events of that type are samples, if they have stacks: those that say how a recording is set are none, though JFR
// declares a stack for them.
bool is_sample_type(std::string_view event_type);

// The field with the class that an event is about, which is shown on top of its stack; empty when there is none.
std::string_view class_field(std::string_view event_type);

}  // namespace jrec
