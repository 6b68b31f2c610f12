// SPDX-License-Identifier: Apache-2.0
// The JVM's own counters in PerfMemory, by name and without symbols. Layout: src/hotspot/share/runtime/perfMemory.hpp;
// what jstat shows is made of them. Ordinary threads; slow, a search through some hundred names. Absent with
// -XX:-UsePerfData. The words are 8-aligned in memory that stays for the life of the VM.
#pragma once

#include <cstdint>
#include <span>

namespace rec::agent {

struct PerfEntry {
  const char* name;
  uint64_t* at;  // becomes the address of its value; stays as it is if there is no such counter
};

// False: this VM keeps no counters.
bool find_perf_entries(std::span<const PerfEntry> wanted);

}  // namespace rec::agent
