// SPDX-License-Identifier: Apache-2.0
// The native frames of threads that stand in a system call: from where the kernel says they stand
// (/proc/self/task/TID/syscall) outwards, to Java code or the thread's start. Nobody is asked or stopped.
//
// The kernel tells pc and sp and no other register: a frame that only one of these would tell how to leave ends the walk,
// and a frame says that others are missing. What was found counts if the thread's CPU clock has stood still meanwhile.
// Ordinary threads, one at a time.
#pragma once

#include "agent/hotspot/walk/stack_walker.h"
#include "agent/threads/thread_dump.h"
#include "recorder/symbols/native_names.h"

namespace rec::agent {

// Fills native_stack of all threads whose OsState has a place, and native_why of all others; functions are called as in samples.
void read_native_frames(const VmCode& vm, NativeNames& names, ThreadDump& dump);

}  // namespace rec::agent
