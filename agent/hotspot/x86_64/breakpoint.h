// SPDX-License-Identifier: Apache-2.0
// A breakpoint in place of a nop: the instruction, and what a handler of SIGTRAP finds.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <string>

namespace rec::agent {

// By the name that an assembler gives it ("rbx"): which register of a ucontext_t; -1: none that may hold a pointer.
int register_index(const std::string& name);

// Ordinary threads. Set over a nop, which is as long as it; false: there is no nop, or the code may not be written.
bool is_nop(uint64_t pc);
bool set_breakpoint(uint64_t pc);
void clear_breakpoint(uint64_t pc);

// Signal-safe. Where the breakpoint is that the thread has met: it goes on behind it.
uint64_t breakpoint_of(const ucontext_t& context);
uint64_t register_at(const ucontext_t& context, int index);

}  // namespace rec::agent
