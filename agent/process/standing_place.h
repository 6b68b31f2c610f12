// SPDX-License-Identifier: Apache-2.0
// Where a thread of this process stands that sleeps in a system call, or waits for a page: what the kernel tells of it
// without stopping it (proc(5), /proc/self/task/TID/syscall). No other register is told.
//
//   place = standing_place(); read its stack; has_stood(place)
//
// Nothing is told of a thread that runs or is ready to, on a kernel without the file, and to an ordinary user whose process
// is not dumpable: its files are root's then (proc(5), PR_SET_DUMPABLE). Some 5 us. Ordinary threads.
#pragma once

#include <cstdint>

#include "agent/process/os_state.h"

namespace rec::agent {

struct StandingPlace {
  uint64_t pc = 0, sp = 0;
  int64_t cpu_ns = -1;  // of its life, before it was looked at
  explicit operator bool() const { return pc != 0; }
};

// Nothing, too, where a clock that stands still proves nothing (task_clock_is_exact()).
StandingPlace standing_place(TaskDirectory& tasks, int32_t os_id);

// It has not run since: its stack is what it was.
bool has_stood(const StandingPlace& place, int32_t os_id);

// Whether it sleeps in a system call, which a signal may end. Where the kernel does not tell which one, each that sleeps does. One that
// waits for a page does not: no signal ends that.
bool sleeps_in_system_call(TaskDirectory& tasks, int32_t os_id);

}  // namespace rec::agent
