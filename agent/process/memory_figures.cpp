// SPDX-License-Identifier: Apache-2.0
#include "agent/process/memory_figures.h"

#include "base/small_file.h"

namespace rec::agent {

MachineMemory parse_meminfo(std::string_view text) {
  return {number_of(text, "MemTotal"), number_of(text, "MemAvailable"), number_of(text, "SwapTotal"),
          number_of(text, "SwapFree")};
}

MachineMemory read_machine_memory() { return parse_meminfo(base::read_small_file("/proc/meminfo").value_or("")); }

ResidentMemory parse_resident(std::string_view status) {
  return {number_of(status, "VmRSS"), number_of(status, "VmHWM")};
}

ResidentMemory read_resident_memory() {
  return parse_resident(base::read_small_file("/proc/self/status").value_or(""));
}

int64_t context_switches() { return number_of(base::read_small_file("/proc/stat").value_or(""), "ctxt"); }

}  // namespace rec::agent
