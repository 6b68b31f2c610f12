// SPDX-License-Identifier: Apache-2.0
// SafepointReports writes what the watcher found: to the recording and, if there is one, to the log. It knows the JVM's
// uptime and who its VM thread is, which all of it bears. The watcher's thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/hotspot/state/perf_words.h"
#include "agent/safepoint/safepoint_log.h"
#include "agent/safepoint/safepoint_track.h"

namespace rec::agent {

class SafepointReports {
 public:
  explicit SafepointReports(std::string log);

  int32_t vm_thread() const { return vm_thread_; }  // the system's id; 0: not known

  void note_begin(int64_t ticks) { begin_ticks_ = ticks; }  // of the VM, exactly; 0: not known
  void note_uptime(PerfWords& counters, int64_t now);       // at each look: the JVM tells it each 50 ms

  int64_t uptime_ns(int64_t ticks) const;  // kUnknownNs: not known yet

  // True: it is in the recording. What found no room is counted there.
  bool write(TimeToSafepoint& stall, const std::vector<LateThread>& late);
  // event has its texts, and whether it was written as a TimeToSafepoint too.
  bool write(const SafepointTrack::Stop& stop, SafepointStop event);

 private:
  Ref<ThreadFact> vm_thread(Epoch& epoch) const;

  SafepointLog log_;
  const int32_t vm_thread_;
  int64_t begin_ticks_ = 0;
  bool vm_begin_exact_ = false;
  int64_t vm_begin_ticks_ = INT64_MAX;  // the least that was noted is the nearest: notes are old when they are read
  uint32_t looks_ = 0, tries_ = 0;
};

}  // namespace rec::agent
