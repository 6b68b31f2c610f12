// SPDX-License-Identifier: Apache-2.0
// The native frames of threads that stand in a system call: from where the kernel says they stand
// (/proc/self/task/TID/syscall) outwards by unwind tables, to Java code or the thread's start. Nobody is asked or
// stopped.
//
// The kernel tells pc and sp and no other register: a frame that is only found by one of these ends the walk. What was
// found counts if the thread's CPU clock has stood still meanwhile. Ordinary threads, one at a time.
#pragma once

#include "agent/hotspot/walk/stack_walker.h"
#include "agent/threads/thread_dump.h"

namespace rec::agent {

// Fills native_stack of all threads whose OsState has a place, names too.
void read_native_frames(const VmCode& vm, ThreadDump& dump);

}  // namespace rec::agent
