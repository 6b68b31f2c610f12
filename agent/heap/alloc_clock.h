// SPDX-License-Identifier: Apache-2.0
// AllocClock is the clock `alloc`: an object each so many allocated bytes, with its class, its stack, and what it stands
// for (allocation_weight.h), as jdk.ObjectAllocationSample.
//
// Which objects those are the VM says (heap_sampler.h), by a call of the allocating thread in the middle of the
// allocation; there the thread walks its own stack.
#pragma once

#include <jvmti.h>

#include "agent/heap/heap_sampler.h"
#include "agent/sampling/clock.h"
#include "agent/sampling/vm_session.h"

namespace rec::agent {

class AllocClock final : public Clock {
 public:
  AllocClock(VmSession& session, HeapSampler& heap) : session_(session), heap_(heap) {}

  const char* name() const override { return "alloc"; }
  base::Status start(JNIEnv* jni, int64_t interval_bytes) override;
  base::Status change(int64_t interval_bytes) override;
  void stop(JNIEnv* jni) override;
  ClockStatus status() override;

  // JVMTI's callback, on any thread of Java. Never waits.
  void sampled(jclass mirror, jlong size);

 private:
  bool record(jclass mirror, int64_t weight);

  VmSession& session_;
  HeapSampler& heap_;
};

}  // namespace rec::agent
