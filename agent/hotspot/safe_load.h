// SPDX-License-Identifier: Apache-2.0
// Safe loads read memory that may be gone. Each is one instruction that may fault, listed in a table (section rec_faults) beside the
// place to go on at; the fault handler finds the instruction there, steps to that place, and passes every other fault on to the
// handler that was installed before ours. A good load costs what a load costs. Signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rec::agent {

// The load's place and its fallback, as distances from the table itself, so that the table needs no relocation. "?" puts the entry
// into the section group of the function it stands in.
#define REC_FAULT_ENTRY(label)                    \
  ".pushsection rec_faults, \"a?\", @progbits\n"  \
  ".balign 4\n"                                   \
  ".long 1b - .\n"                                \
  ".long %l[" label "] - .\n"                     \
  ".popsection\n"

inline bool load64(uint64_t address, uint64_t& value) {
  uint64_t loaded;
  asm volatile goto("1: movq (%[from]), %[to]\n" REC_FAULT_ENTRY("fault")
           : [to] "=r"(loaded) : [from] "r"(address) : "memory" : fault);
  value = loaded;
  return true;
fault:
  return false;
}

inline bool load32(uint64_t address, uint32_t& value) {
  uint32_t loaded;
  asm volatile goto("1: movl (%[from]), %[to]\n" REC_FAULT_ENTRY("fault")
           : [to] "=r"(loaded) : [from] "r"(address) : "memory" : fault);
  value = loaded;
  return true;
fault:
  return false;
}

inline bool load16(uint64_t address, uint16_t& value) {
  uint32_t loaded;
  asm volatile goto("1: movzwl (%[from]), %[to]\n" REC_FAULT_ENTRY("fault")
           : [to] "=r"(loaded) : [from] "r"(address) : "memory" : fault);
  value = static_cast<uint16_t>(loaded);
  return true;
fault:
  return false;
}

inline bool load8(uint64_t address, uint8_t& value) {
  uint32_t loaded;
  asm volatile goto("1: movzbl (%[from]), %[to]\n" REC_FAULT_ENTRY("fault")
           : [to] "=r"(loaded) : [from] "r"(address) : "memory" : fault);
  value = static_cast<uint8_t>(loaded);
  return true;
fault:
  return false;
}

// Copies size bytes; false when a part of them cannot be read (the rest of `to` is then undefined).
bool safe_copy(void* to, const void* from, size_t size);

// The same loads for a reader who treats "cannot be read" as zero.
inline uint64_t word_at(uint64_t address) { uint64_t v = 0; return load64(address, v) ? v : 0; }
inline uint32_t half_at(uint64_t address) { uint32_t v = 0; return load32(address, v) ? v : 0; }
inline uint16_t short_at(uint64_t address) { uint16_t v = 0; return load16(address, v) ? v : 0; }
inline uint8_t byte_at(uint64_t address) { uint8_t v = 0; return load8(address, v) ? v : 0; }

// Puts our handler in front of SIGSEGV's and SIGBUS's. Call once, from an ordinary thread, after the VM has installed its own.
// The handler stays for the life of the process: taking it out could drop somebody who installed his own later.
bool install_fault_handler();

// Loads that faulted since the start.
uint64_t faulted_loads();

}  // namespace rec::agent
