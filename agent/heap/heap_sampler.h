// SPDX-License-Identifier: Apache-2.0
// HeapSampler is JVMTI's SampledObjectAlloc (JEP 331), for the clocks that live by it. One agent at a time can have that:
// it is taken for the first clock that starts and given back with the last, so that others come to it, too.
//
// The VM samples with one interval, the shortest that a clock wants; another clock takes of these objects as many as its
// own interval would have given it. The VM calls the allocating thread back, in the middle of the allocation; where it is
// to do so next is drawn here (sample_points.h).
//
// take() and give_back(): ordinary threads that Java knows, one at a time. The rest: any thread of Java; never waits.
#pragma once

#include <jvmti.h>

#include <array>
#include <atomic>

#include "agent/sampling/chance_of_now.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class HeapSampler {
 public:
  explicit HeapSampler(VmSession& session) : session_(session) {}

  enum Customer { kAlloc, kLive, kCustomers };
  // session.jvmti has the callback. Again: with another interval. The error is as Clock::start() has it.
  base::Status take(Customer who, int64_t interval_bytes);
  void give_back(Customer who);

  int64_t interval(Customer who) const { return intervals_[who].load(std::memory_order_relaxed); }  // 0: not taken
  // By a thread that has just begun, before it runs Java.
  static void thread_started(ThreadRecord& thread);
  // By the callback, of the object: the bytes that it stands for by that clock's interval; 0: it is none of its, which is
  // no loss.
  int64_t sampled(Customer who, int64_t size);

 private:
  base::Status set_interval();

  VmSession& session_;
  std::array<std::atomic<int64_t>, kCustomers> intervals_{};
  std::atomic<int64_t> shortest_{0};  // the VM's; 0: the event is not ours
  std::atomic<uint64_t> random_{chance_of_now()};
};

}  // namespace rec::agent
