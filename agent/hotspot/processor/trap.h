// SPDX-License-Identifier: Apache-2.0
// A Trap is one instruction of the VM's code that calls us: hlt in place of a nop, which is as long as it.
//
//   a thread of the VM meets hlt -> SIGSEGV -> the fault handler -> meet_trap() -> on_trap(register) -> on behind it
//
// Why hlt, which no program may execute, and not int3. A fault whose signal the thread blocks ends the process, and a
// thread blocks what its creator did: where a service blocks all signals before it makes the VM, SIGTRAP is blocked in
// all of the VM's threads. SIGSEGV is not: HotSpot unblocks it in each thread of its own, when the thread begins
// (hotspot_sigmask, src/hotspot/os/posix/signals_posix.cpp), so also in those that it makes later. It needs that itself.
// And a debugger takes SIGTRAP for its own, but hands SIGSEGV on.
//
// Traps stay for the life of the process.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <string>

namespace rec::agent {

// By the name that an assembler gives it ("rbx"): which register of a ucontext_t; -1: none that may hold a pointer.
int register_index(const std::string& name);

// Inside a signal handler, in the thread that met the trap; safe loads may fail there. value: what the register held.
using OnTrap = void (*)(uint64_t value);

// Ordinary threads, one at a time. set_trap() is false when there is no nop, no room (eight may be set), or the code may
// not be written; the fault handler has to stand (fault_handler.h).
bool is_nop(uint64_t pc);
bool set_trap(uint64_t pc, int register_index, OnTrap on_trap);
void clear_trap(uint64_t pc);  // a thread that is on its way to it is still told

// Signal-safe, for the fault handler. False: the thread has met no trap. True: it goes on behind it.
bool meet_trap(ucontext_t& thread);

}  // namespace rec::agent
