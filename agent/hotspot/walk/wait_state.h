// SPDX-License-Identifier: Apache-2.0
// Why a thread that is outside of Java does not run, as JVMTI's thread state (GetThreadState), which JFR's constants of
// ThreadState are, too. Read from the VM's memory. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/vm/layout.h"

namespace rec::agent {

inline constexpr uint32_t kStateSleeping = 225, kStateInObjectWait = 401, kStateParked = 657,
                          kStateBlockedOnEnter = 1025;

// top: the Method of its topmost frame, 0: it has none. Who yields waits for a CPU (kStateRunnable). Who is in none of
// the states that the VM tells of sleeps: in Thread.sleep, in a system call, in the VM.
uint32_t wait_state(const Layout& layout, uint64_t java_thread, uint64_t top);

}  // namespace rec::agent
