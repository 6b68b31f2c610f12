// SPDX-License-Identifier: Apache-2.0
// PerfWords finds the JVM's own counters of safepoints in PerfMemory, by name and without symbols.
//
//   sun.rt.safepoints          +1 when a safepoint is asked for, before any thread is stopped
//   sun.rt.safepointSyncTime   + ns when it has been reached: exactly the "Reaching safepoint" of -Xlog:safepoint
//   sun.rt.safepointTime       + ns when it is over: "At safepoint" of the same line
//
// Requested and not reached: the first has moved, the second has not. Source: RuntimeService::record_safepoint_begin,
// _synchronized, _end (src/hotspot/share/services/runtimeService.cpp), SafepointTracing (runtime/safepoint.cpp); layout
// of PerfMemory: runtime/perfMemory.hpp. The words are 8-aligned in memory that stays for the life of the VM; they are
// read through safe loads nevertheless. Absent with -XX:-UsePerfData.
#pragma once

#include <cstdint>
#include <string>

namespace rec::agent {

struct SafepointCounts {
  uint64_t requested = 0;
  uint64_t sync_ns = 0;
  uint64_t stopped_ns = 0;
  bool has_sums = true;  // times of all of them. Else only of those that somebody saw (SafepointWords)
  friend bool operator==(const SafepointCounts&, const SafepointCounts&) = default;
};

class PerfWords {
 public:
  // From an ordinary thread, once. False: this VM keeps no such counters.
  bool open();
  bool present() const { return requested_ != 0; }
  SafepointCounts read() const;
  // Why a collection goes on, in the JVM's words; empty: none does, or it is not told.
  std::string collection_cause() const;
  std::string last_collection_cause() const;  // of the one before
  // The VM's uptime in ns, as -Xlog counts it, when the VM noted it last (each 50 ms); 0: not told.
  int64_t noted_uptime_ns() const;
  // When the VM began, in ms of Unix time; 0: not told. JDK 25 tells nothing else.
  int64_t begin_unix_ms() const;

 private:
  uint64_t requested_ = 0, sync_ = 0, stopped_ = 0, cause_ = 0, last_cause_ = 0, uptime_ = 0, begin_ = 0;
};

}  // namespace rec::agent
