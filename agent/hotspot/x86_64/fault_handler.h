// SPDX-License-Identifier: Apache-2.0
// The handler of SIGSEGV and SIGBUS that lets safe loads (safe_load.h) fail and traps (trap.h) be met. Signal-safe, but
// for install_fault_handler().
//
//   a fault -> at a load of ours: on behind it
//           -> at a trap of ours: told, and on behind it
//           -> anywhere else: the handler that was there before us
#pragma once

#include <cstdint>

namespace rec::agent {

// Puts our handler in front of SIGSEGV's and SIGBUS's. From an ordinary thread, after the VM has installed its own;
// again when somebody has replaced ours (fault_handler_stands()): his is called for what is not ours then, and may call
// ours, which it found, in turn. False: the system refuses, or that has happened too often. The handler stays for the
// life of the process: taking it out could drop somebody who installed his own later.
bool install_fault_handler();

// Whether a fault comes to us first; a safe load must not be tried otherwise. One system call.
bool fault_handler_stands();

// Loads that faulted since the start.
uint64_t faulted_loads();

}  // namespace rec::agent
