// SPDX-License-Identifier: Apache-2.0
// SamplePoints draws for each thread where in its bytes the VM is to sample it next, since the VM's own draws are no
// chance where threads come and go (vm_point.h): of threads that live for 200 kB and are sampled each 512 KiB, the VM
// samples all at one place, or none, and their creator's samples are off with them.
//
//   a thread has started        its first point, before it runs Java and allocates; one that was attached has allocated
//                               by then, and keeps the VM's
//   the VM calls back           early? the rest of the way. Else the object is sampled, and the next point is drawn
//
// The VM reads it when the callback is over. It calls too early in 17 and 21: when the point lies behind a thread's buffer
// it counts all that is free in that (src/hotspot/share/gc/shared/threadLocalAllocBuffer.cpp, set_sample_end()), though a
// collection may take the buffer away. So what the thread has allocated is looked up: an object that no point falls into
// is none of ours, and none that is lost. Where the place of the points cannot be proven, the VM's draws stay.
//
// Before 25 the VM counts what goes into a thread's buffer and what does not each by itself (memAllocator.cpp,
// notify_allocation_jvmti_sampler()): a point that falls into a large array is met by the next small object. A thread of which
// that is seen, and all that start later, have the VM call more often than points are due, so that it calls for the large
// ones, too.
//
// One for the life of the process: a thread may be in the callback when a recording ends. start() and stop(): ordinary
// threads, one at a time. The rest: a thread of Java, of itself; never waits.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/heap/vm_point.h"
#include "agent/hotspot/vm/thread_allocation.h"
#include "agent/sampling/chance.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class SamplePoints {
 public:
  static SamplePoints& of_process();

  void start(VmSession& session, int64_t interval_bytes);  // again: with another interval
  void stop();

  void thread_started(ThreadRecord& thread);
  // By the VM's callback, of an object of so many bytes; again in the same one, the same answer. Whether a point has been reached.
  bool reached(int64_t size);

 private:
  bool open(VmSession& session);
  int64_t interval() const;  // 0: stopped
  uint64_t draw(int64_t interval) { return point_by_chance(interval, next_random(random_)); }
  void note_missed(ThreadRecord::AllocationPoint& own, int64_t object);

  VmSession* session_ = nullptr;  // of the process; null: not opened
  VmPoint point_;
  ThreadAllocation allocated_;
  bool counts_apart_ = false;        // the VM
  std::atomic<bool> missed_{false};  // a point, by any thread: those that start later call often from the start
  std::atomic<int64_t> interval_{0};
  std::atomic<uint64_t> random_{0};
};

}  // namespace rec::agent
