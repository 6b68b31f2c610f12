// SPDX-License-Identifier: Apache-2.0
// Profile is the merged stacks of one kind of event of a recording: what collapsed, hot, diff and flame show, and what
// convert, heatmap and push begin with. There is one way to it:
//
//   --event          sample_kind.h      which types of events, and what one weighs
//   event            sample_reader.h    --> stack, thread and class as keys, weight, time
//   chunk            chunk_samples.h    --> its stacks and threads by name, its sums, each sample     any thread
//   recording        sample_stream.h    --> one tree, one list of threads                  in the order of the file
//
//   sums:            read_profile()       --> Profile
//   each sample:     SamplePass::read()   --> visit(SampleChunk), and the Profile at the end
//
// An event without a stack is not dropped: it counts under a frame [no stack], so that the total is that of all events.
// Failed jdk.CPUTimeSample events hold no sample and are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/profile/frame_names.h"
#include "jrec/profile/stack_tree.h"
#include "jrec/profile/weight_unit.h"
#include "jrec/select/event_names.h"
#include "jrec/select/filter.h"

namespace jrec {

struct ProfileOptions {
  std::string event =
      "cpu";  // a short name, see event_names.h, or the full name of an event type that has a stackTrace
  bool count_samples = false;  // every event weighs 1, whatever its weight field says
  bool leak = false;           // of native memory: only what was not freed, the youngest part of the time left out
  double tail_percent = 10;
  bool mark_truncated = false;  // a root frame [truncated] over stacks whose outer frames are missing
  bool by_time = true;   // where samples of CPU time or the wall clock differ in what they stand for: weight_unit.h
  FilterOptions filter;  // which of these events; of what lasts the part that is in their time: span_clip.h
  TimeRange shown;       // and in this
  FrameStyle frames;     // how methods are written
  bool natives = false;  // where native frames lie, too: native_frames.h
  bool states = false;   // what each thread was doing, too: TimedSample::state
};

// For who compares runs of a program.
inline ProfileOptions across_runs(ProfileOptions options) {
  options.frames.across_runs = true;
  return options;
}

struct Profile {
  std::string event_type;      // whose samples these are; of several the first that has events
  std::string event_types;     // all of them, as one says it: "jdk.JavaMonitorEnter and jdk.ThreadPark"
  std::string unit;            // what a weight is: "samples", "bytes", "ns"
  WeightUnit weight;           // and what it stands for, of samples of time
  uint64_t samples = 0;        // events
  uint64_t truncated = 0;      // of these
  uint64_t without_stack = 0;  // of these
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  StackTree tree;
};

// The sums only. A filter or kind that makes no sense is refused (recording.h): the profile is empty, and finish() tells.
Profile read_profile(Recording& recording, const ProfileOptions& options);

}  // namespace jrec
