// SPDX-License-Identifier: Apache-2.0
// Where a signal's handler finds the program counter of what it has interrupted. Signal-safe.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace rec::agent {

inline uint64_t pc_of(const ucontext_t& context) { return context.uc_mcontext.pc; }
inline void set_pc(ucontext_t& context, uint64_t pc) { context.uc_mcontext.pc = pc; }

}  // namespace rec::agent
