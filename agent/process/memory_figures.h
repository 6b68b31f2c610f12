// SPDX-License-Identifier: Apache-2.0
// Memory of the machine and of this process, as the kernel counts it (proc(5): meminfo, status, stat). Bytes; kNotTold:
// the file has no such line, or cannot be read. Ordinary threads; some 10 us a file. Needs no JVM.
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/process/key_values.h"

namespace rec::agent {

// Of the machine, not of a container.
struct MachineMemory {
  int64_t total = kNotTold;
  int64_t available = kNotTold;  // without swapping: what is free, and caches that can be dropped
  int64_t swap_total = kNotTold, swap_free = kNotTold;
};
MachineMemory read_machine_memory();
MachineMemory parse_meminfo(std::string_view text);

struct ResidentMemory {
  int64_t now = kNotTold, peak = kNotTold;
};
ResidentMemory read_resident_memory();
ResidentMemory parse_resident(std::string_view status);

// Of all processors since the machine started.
int64_t context_switches();

}  // namespace rec::agent
