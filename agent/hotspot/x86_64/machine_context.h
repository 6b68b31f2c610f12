// SPDX-License-Identifier: Apache-2.0
// Where a signal's handler finds the program counter of what it has interrupted. Signal-safe.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace rec::agent {

inline uint64_t pc_of(const ucontext_t& context) { return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]); }
inline void set_pc(ucontext_t& context, uint64_t pc) { context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(pc); }

}  // namespace rec::agent
