// SPDX-License-Identifier: Apache-2.0
// No traps here yet: an instruction that no program may execute raises SIGILL on aarch64, which the fault handler does not
// stand in front of. So the unloading of classes is told late, as where there is no probe.
#include "agent/hotspot/processor/trap.h"

namespace rec::agent {

int register_index(const std::string&) { return -1; }
bool is_nop(uint64_t) { return false; }
bool set_trap(uint64_t, int, OnTrap) { return false; }
void clear_trap(uint64_t) {}
bool meet_trap(ucontext_t&) { return false; }

}  // namespace rec::agent
