// SPDX-License-Identifier: Apache-2.0
// Statistics writes, at an interval, the figures that answer the first questions about a process, as JFR's events: who
// takes the processors, who allocates, how many threads and classes there are, what memory and control group have left.
//
//   each look               threads (thread_statistics.h), JavaThreadStatistics, ClassLoadingStatistics, ResidentSetSize,
//                           PhysicalMemory, SwapSpace, ThreadContextSwitchRate, Container*
//   when they change        NativeLibrary, ContainerConfiguration; and again each kRepeat looks, since old chunks go
//   at a collection         GCHeapSummary, before and after (collection())
//
// What the system or this JVM does not tell has no event and is not among types(); why is said once, at loglevel=info.
//
//   open() at the recording's start, behind the sources'; tend() by the housekeeper; last_look() when it tends no more
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/process/memory_figures.h"
#include "agent/statistics/sources.h"
#include "agent/statistics/thread_statistics.h"
#include "format/type_ids.h"
#include "recorder/chunk/statistics_events.h"

namespace rec::agent {

class Statistics {
 public:
  Statistics(const Layout& layout, ThreadRegistry& threads, const StatisticsSources& sources)
      : threads_(layout, threads), sources_(sources) {}

  void open(int64_t interval_ns);          // 0: nothing is written. Again: from now on with this one
  std::vector<jfr::TypeId> types() const;  // that are written while it is open
  void tend();
  void last_look();

  // In a collection: its number, from 1 on. Any thread; no locks.
  void collection(uint32_t number, HeapLook look) const;

 private:
  static constexpr uint32_t kRepeat = 30;

  void look();
  void write_counters(int64_t now);
  void write_memory(int64_t now, const MachineMemory& machine);
  void write_switches(int64_t now);
  void write_libraries(int64_t now, bool again);
  void write_group(int64_t now, const MachineMemory& machine, bool again);
  void write_group_limits(int64_t now, const MachineMemory& machine, const GroupMemory& memory, const GroupCpu& cpu,
                          bool again);

  ThreadStatistics threads_;
  const StatisticsSources& sources_;
  std::atomic<int64_t> interval_ns_{0};
  int64_t next_ticks_ = 0;
  uint32_t looks_ = 0;
  int64_t switches_ = kNotTold, switches_ticks_ = 0;
  uint64_t libraries_ = 0;  // library_changes() when they were written
  std::string limits_;      // as they were written
};

}  // namespace rec::agent
