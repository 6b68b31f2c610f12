// SPDX-License-Identifier: Apache-2.0
// ThreadStatistics writes of each thread the processor time that it took since the look before (jdk.ThreadCPULoad) and
// what it has allocated (jdk.ThreadAllocationStatistics): threads that have not run, or not allocated, since have none.
// Threads that Java does not know have a load too, where a recording knows them (sampledthreads=all).
//
// A look costs a system call a thread, and reads a file of /proc for each that has run for a millisecond. The lock of the
// threads is held for some tens of ns a thread. Ordinary threads, one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/hotspot/vm/layout.h"
#include "agent/hotspot/vm/thread_allocation.h"
#include "agent/process/os_state.h"
#include "agent/sampling/thread_registry.h"
#include "agent/statistics/thread_loads.h"

namespace rec::agent {

class ThreadStatistics {
 public:
  ThreadStatistics(const Layout& layout, ThreadRegistry& threads) : layout_(layout), threads_(threads) {}
  void open();
  // all: also what the threads have allocated that have been quiet.
  void look(bool all);

 private:
  struct Seen {
    ThreadRecord* record;
    ThreadIdentity identity;
    int64_t allocated;
  };
  void take_threads();
  void write(const Seen& seen, bool all);
  void write_load(const Seen& seen, const ThreadLoads::New& news, int64_t now);
  template <typename Commit>
  void commit_of(const Seen& seen, Commit commit);

  const Layout& layout_;
  ThreadRegistry& threads_;
  ThreadAllocation allocation_;
  TaskDirectory tasks_;
  ThreadLoads loads_;
  std::vector<Seen> seen_;
  int64_t processors_ = 1;
};

}  // namespace rec::agent
