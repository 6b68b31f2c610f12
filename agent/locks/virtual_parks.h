// SPDX-License-Identifier: Apache-2.0
// VirtualParks tells of virtual threads that park, or sleep. These leave their carrier and call no native method, and JVMTI, which
// could tell of that, would make each start of one dearer. So a thread of ours looks at some of them, chosen by chance
// (unmounted_threads.h), twice:
//
//   at a random moment, each 100 ms or so   who is parked stands for the time since the round before; its stack is read
//   `threshold` later                       parked at the same place still: written, jdk.ThreadPark or jdk.ThreadSleep
//                                           gone on: its time is added to that of the short ones (parksShortUs,
//                                           sleepsShortUs)
//                                           moved by a collector: it is there, as a rule, and is written
//                                           much too late: the next round stands for this one's time, too
//
// So durations add up to what was waited, of any class and site, on the average; how long one park was they do not tell. A
// park of more than the threshold that is met near its end counts as a short one.
//
// start() and stop(): ordinary threads, start() one that Java knows.
#pragma once

#include <jni.h>

#include <atomic>
#include <vector>

#include "agent/process/housekeeper.h"
#include "agent/sampling/unmounted_threads.h"
#include "agent/sampling/vm_session.h"
#include "recorder/spool/event_log.h"

namespace rec::agent {

class VirtualParks {
 public:
  // threshold_ns: outlives it.
  VirtualParks(VmSession& session, const std::atomic<int64_t>& threshold_ns)
      : session_(session), threshold_ns_(threshold_ns), threads_(session.vm) {}

  // False: this VM has none, does not keep them as we know it, or there is no thread to look with.
  bool start(JNIEnv* jni);
  void stop();

 private:
  struct Parked {
    UnmountedThreads::Seen seen;
    UnmountedThreads::Place place;
    Event event;             // in the epoch with serial_
    RequestContext context;  // that it is parked in
  };

  void run(Housekeeper::Pause& pause);
  int64_t pause_ns(int64_t cost_ns);
  bool meet(Epoch& epoch);
  bool is_late() const;
  void settle(Epoch& epoch);
  bool has_gone_on(const Parked& parked) const;
  bool describe(Epoch& epoch, Parked& parked);

  VmSession& session_;
  const std::atomic<int64_t>& threshold_ns_;
  Housekeeper thread_;
  UnmountedThreads threads_;  // from here on the thread's own
  std::vector<Parked> met_;
  uint32_t serial_ = 0;
  int64_t last_ticks_ = 0;  // of the round before
};

}  // namespace rec::agent
