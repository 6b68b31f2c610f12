// SPDX-License-Identifier: Apache-2.0
// CollectionWords tells which collector has just stopped the program, and why, from the JVM's own counters in PerfMemory
// (src/hotspot/share/gc/shared/collectorCounters.cpp, CollectedHeap::set_gc_cause in collectedHeap.cpp):
//
//   sun.gc.collector.N.name, .lastEntryTime   a text each for young, full and concurrent ones; when such a one began
//   sun.gc.cause, sun.gc.lastCause            while the VM says why, and when it has said so
//
//   on the VM's thread:   GarbageCollectionStart -> ... -> GarbageCollectionFinish -> last()
//
// The two drivers of generational ZGC share the cause: it is of the one that began last.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "agent/hotspot/state/perf_entries.h"

namespace rec::agent {

// In the words of HotSpot's GCName and GCCause; empty: not known.
struct LastCollection {
  std::string_view collector;
  PerfText cause{};
};

class CollectionWords {
 public:
  void open();  // from an ordinary thread, once; a VM without counters leaves all unknown
  LastCollection last() const;

 private:
  static constexpr size_t kMaxCollectors = 3;
  struct Collector {
    std::string_view name;
    uint64_t entered = 0;  // the address of the time
  };
  std::array<Collector, kMaxCollectors> collectors_;
  size_t count_ = 0;
  uint64_t cause_ = 0, last_cause_ = 0;
};

}  // namespace rec::agent
