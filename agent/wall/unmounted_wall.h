// SPDX-License-Identifier: Apache-2.0
// UnmountedWall is the wall clock for virtual threads that no carrier runs (unmounted_threads.h). It looks at some of them
// at random moments kRoundNs apart on the average; each stands for as many as it was chosen from, and for the time since
// the last round.
//
// begin() on a thread that Java knows; visit() on the clock's.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/sampling/sample_contexts.h"
#include "agent/sampling/unmounted_threads.h"

namespace rec::agent {

class UnmountedWall {
 public:
  UnmountedWall(const VmCode& vm, const SampleContexts& contexts) : threads_(vm), contexts_(contexts) {}

  // Without effect where such threads are not to be seen.
  void begin(JNIEnv* jni, ThreadSets& sets);
  // A round, if one is due.
  void visit(int64_t interval_ns);

 private:
  struct Span {  // what a round stands for
    int64_t begin_ticks;
    double length_ns;
    int64_t interval_ns;
  };
  bool round(Epoch& epoch, int64_t now, int64_t interval_ns);
  void write(Epoch& epoch, const UnmountedThreads::Seen& seen, const Span& span);

  UnmountedThreads threads_;
  const SampleContexts& contexts_;
  int64_t last_ticks_ = 0, due_ticks_ = 0;
};

}  // namespace rec::agent
