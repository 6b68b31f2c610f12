// SPDX-License-Identifier: Apache-2.0
// VmDelay tells what kept the JVM itself while a safepoint was waited for: what CPU its own thread used and had to wait
// for, and for how long all of the process had to, since its quota was used up. Who watches is kept from the CPU then,
// too: so it notes from time to time how things stand, and what comes together since the last note counts. That is at most
// kNoteNs before the request; kQuotaNs for a quota that nobody had run under by then. What cannot have changed is not
// read. The watcher's thread only.
#pragma once

#include <cstdint>
#include <string>

#include "agent/process/cpu_quota.h"
#include "recorder/chunk/safepoint_events.h"

namespace rec::agent {

class VmDelay {
 public:
  static constexpr int64_t kNoteNs = 20'000'000;
  static constexpr int64_t kQuotaNs = 1'000'000'000;

  explicit VmDelay(int32_t vm_thread);

  void note(int64_t now);            // at each look while nothing is waited for; ticks
  void begin(int64_t id);            // a safepoint or handshake is waited for; once for each
  void end(TimeToSafepoint& stall);  // the same one

 private:
  struct Figures {
    int64_t cpu_ns = -1, run_delay_ns = -1, throttled_ns = -1;
  };
  Figures read();
  void note_thread();

  const int32_t vm_thread_;  // the system's; 0: not known
  CpuQuota quota_;
  Figures before_;
  int64_t noted_ticks_ = 0, quota_ticks_ = 0, id_ = 0;
  std::string state_;
};

}  // namespace rec::agent
