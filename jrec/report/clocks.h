// SPDX-License-Identifier: Apache-2.0
// ReportClocks is what of samples a report shows: a tree of stacks and a timeline for each clock that the recording has.
//
//   cpu wall alloc live nativemem lock owners exceptions io     ids; `owners` is what those who held a lock were doing (rec.MonitorOwner)
//
// On the page they share names, threads and states:
//
//   "names":[...], "states":[...],
//   "threads":[[name, id, group]...]                                      group: thread_group.h
//   "clocks":[{"id","event","unit","period_ns","samples","truncated","folded","folded_weight","methods","bucket_ms",
//              "nodes":[...],"time":[...],"thread":[...],"state":[...],"node":[...],"weight":[...]}...]      page_nodes.h
//
// A tree of more than kMostNodes is folded (folded_tree.h); of timelines with more than kMostEntries together the largest have longer buckets than the axis.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "jrec/flame/flame_timeline.h"
#include "jrec/flame/folded_tree.h"
#include "jrec/flame/page_nodes.h"
#include "jrec/input/recording.h"
#include "jrec/profile/hot.h"
#include "jrec/profile/sample_stream.h"
#include "jrec/report/axis.h"
#include "jrec/report/jvms.h"

namespace jrec {

// How many events there are of each type.
using EventCounts = std::map<std::string, uint64_t, std::less<>>;

struct ReportClock {
  std::string id, event_type, unit;
  uint64_t period_ns = 0, samples = 0, truncated = 0;
  PlacedTree placed;
  std::vector<HotMethod> methods;  // of the whole tree, where some of it is folded; names are those of the folded one
  FlameTimeline timeline;
  std::vector<uint32_t> threads, states;  // by those of the timeline, their numbers in ReportClocks
};

class ReportClocks {
 public:
  static constexpr size_t kMostNodes = 200'000;
  static constexpr size_t kMostEntries = 800'000;  // of all clocks

  // Of those kinds that have events. options: the filter, and how methods are written.
  void read(Recording& recording, const ReportAxis& axis, const EventCounts& recorded, const ProfileOptions& options);
  // jvms: all whose threads there may be.
  void append_json(const ReportJvms& jvms, std::string& out) const;

  const std::deque<ReportClock>& all() const { return clocks_; }
  const ReportClock* of(std::string_view id) const;  // nullptr: the recording has none

 private:
  void coarsen();
  void add(const std::string& id, const SampleStream& stream, FlameTimeline&& timeline);

  std::deque<ReportClock> clocks_;  // they stay where they are
  std::vector<SampleThread> threads_;
  std::map<SampleThread, uint32_t> thread_numbers_;
  std::vector<std::string> states_{{}};
};

}  // namespace jrec
