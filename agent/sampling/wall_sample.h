// SPDX-License-Identifier: Apache-2.0
// A sample of the wall clock (profiler.WallClockSample), and how it is committed: by a thread that visits others, and by
// handlers of threads that run.
#pragma once

#include <cstdint>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

struct WallSample {
  int64_t begin_ticks = 0, length_ns = 0;
  uint32_t state = kStateRunnable;
  uint32_t samples = 0;  // intervals that it stands for: up or down by chance, so that the sum is right
};

// False: there is no room. context: of kind kNone if there is none.
inline bool commit(Epoch& epoch, const WallSample& sample, Ref<ThreadFact> thread, Ref<StackFact> stack,
                   const Event& context = {}) {
  Event event;
  event.kind = EventKind::kWallSample;
  event.ticks = sample.begin_ticks;
  event.thread = thread;
  event.stack = stack;
  event.other = sample.samples;
  event.value = wall_value(sample.state, sample.length_ns);
  return epoch.commit(context, event);
}

}  // namespace rec::agent
