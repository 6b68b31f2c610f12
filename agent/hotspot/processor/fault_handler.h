// SPDX-License-Identifier: Apache-2.0
// The handler of SIGSEGV and SIGBUS that lets safe loads (safe_load.h) fail and traps (trap.h) be met. Signal-safe.
//
//   a fault -> at a load of ours: on behind it
//           -> at a trap of ours: told, and on behind it
//           -> anywhere else: the handler that was there before us
#pragma once

#include <cstdint>

namespace rec::agent {

// Puts our handler in front of SIGSEGV's and SIGBUS's, after the VM has installed its own; again when somebody has
// replaced ours: his is called for what is not ours then, and may call ours, which it found, in turn. False: the system
// refuses, or that has happened too often. The handler stays for the life of the process: taking it out could drop
// somebody who installed his own later.
bool install_fault_handler();

// Whether a fault comes to us; a safe load must not be tried otherwise. One system call, as a rule. Where somebody has
// come in front of us:
//
//   another copy of this library   it passes on what is not its own, so all is well
//   somebody else                  ours goes in front again, but not before he has stood there for 50 ms: many a handler
//                                  stands for the length of a call only, and must not be called later
bool fault_handler_ready();

// How often that was needed so far. fault_handler_lost(): it cannot be done again.
uint32_t fault_handler_returns();
bool fault_handler_lost();

bool fault_handler_stands();  // ours comes first

// Loads that faulted since the start.
uint64_t faulted_loads();

}  // namespace rec::agent
