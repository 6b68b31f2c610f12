// SPDX-License-Identifier: Apache-2.0
// perf's task-clock: a counter of a thread's CPU time that high resolution timers drive. Exact at any period; but each
// tick, and each time the thread goes on or off a processor, programs the processor's timer, which is dear in virtual
// machines. Ordinary threads.
#pragma once

#include <cstdint>

namespace rec::agent {

// A descriptor, stopped as yet; -1: the system refuses. sees_kernel: ticks inside the kernel come, too, which takes
// rights (perf_event_paranoid below 2, or CAP_PERFMON); without, these ticks are left out. tells_kernel: with each tick
// comes where in the kernel it was (hotspot/walk/kernel_chain.h). os_id 0: the calling thread.
int open_task_clock(int32_t os_id, int64_t period_ns, bool sees_kernel, bool tells_kernel = false);

// By which it is known again: whoever closes its descriptor may have the number for a file of his own. False: it is none.
bool task_clock_id(int fd, uint64_t& id);
bool is_task_clock(int fd, uint64_t id);

// CPU time that one tick costs the calling thread, its signal not counted. Takes some 6 ms. 0: not to be measured.
int64_t task_clock_cost_ns();

}  // namespace rec::agent
