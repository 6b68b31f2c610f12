// SPDX-License-Identifier: Apache-2.0
// BlackBox notes what memory the process has, for the case that it is killed for it: its events lie in the spool, which
// outlives SIGKILL. `jrec view oom` reads them.
//
//   rec.MemoryUse      each interval: resident memory, heap, metaspace, the control group's use and limit
//   rec.MemoryKinds    what the resident memory is made of (memory_map.h)
//
// The second is dear where there is much memory. So it is read again when 2,000 times as long has passed as it took, or,
// when a twentieth more is resident than at the last time, or the group has less than a tenth left, 100 times as long:
// it takes a 2,000th of a processor, and a 100th when it matters.
//
// One ordinary thread, the housekeeper.
#pragma once

#include <cstdint>

#include "agent/process/memory_map.h"
#include "agent/statistics/sources.h"

namespace rec::agent {

class BlackBox {
 public:
  explicit BlackBox(const StatisticsSources& sources) : sources_(sources) {}

  void open(int64_t interval_ns);  // 0: nothing is written
  void tend();
  void last_look();

 private:
  void look(int64_t now);
  bool matters(int64_t resident, const GroupMemory& group) const;
  void write_kinds(int64_t now, int64_t resident);

  const StatisticsSources& sources_;
  KnownPlaces places_;
  int64_t interval_ns_ = 0, next_ticks_ = 0;
  int64_t kinds_ticks_ = 0, kinds_cost_ns_ = 0;  // of the last look at kinds
  int64_t kinds_resident_ = 0;
};

}  // namespace rec::agent
