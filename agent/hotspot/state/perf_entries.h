// SPDX-License-Identifier: Apache-2.0
// The JVM's own counters in PerfMemory, by name and without symbols. Layout: src/hotspot/share/runtime/perfMemory.hpp;
// what jstat shows is made of them. Ordinary threads; slow, a search through some hundred names. Absent with
// -XX:-UsePerfData. The words are 8-aligned in memory that stays for the life of the VM.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace rec::agent {

struct PerfEntry {
  const char* name;
  uint64_t* at;  // becomes the address of its value; stays as it is if there is no such counter
};

// False: this VM keeps no counters.
bool find_perf_entries(std::span<const PerfEntry> wanted);

// A counter's text, cut where it is longer; empty for address 0. Any thread: nothing is searched or allocated.
using PerfText = std::array<char, 64>;
PerfText perf_text_at(uint64_t address);
inline constexpr std::string_view kNoCollection = "No GC";  // of sun.gc.cause and sun.gc.lastCause

}  // namespace rec::agent
