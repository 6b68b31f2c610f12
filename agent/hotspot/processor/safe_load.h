// SPDX-License-Identifier: Apache-2.0
// Safe loads read memory that may be gone. Each is one instruction that may fault, listed in a table (section
// rec_faults) beside the place to go on at; the fault handler (fault_handler.h) finds it there, sends the thread on,
// and passes every other fault to the handler that was installed before ours. A good load costs what a load costs.
// Signal-safe.
//
// Plain asm and not `asm goto` with outputs: GCC 12 loses values on the edge of the fault. Here control only ever
// leaves downwards: the outputs hold what a fault is to mean before the load, and the handler resumes behind it.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/safe_copy.h"
#include "agent/hotspot/processor/this_processor.h"
#include REC_OF_PROCESSOR(load_instructions.h)

namespace rec::agent {

// The load's place (label 1) and where a fault goes on, as distances from the table's own words, so that it needs no
// relocation. "?" puts the entry into the section group of the function that it stands in; "R" keeps it, though nobody
// refers to it: LLVM's linker would else leave it out, and the load without help.
#define REC_FAULT_ENTRY(resume)                   \
  ".pushsection rec_faults, \"aR?\", @progbits\n" \
  ".balign 4\n"                                   \
  ".long 1b - .\n"                                \
  ".long " resume                                 \
  " - .\n"                                        \
  ".popsection\n"

// No memory clobber: what is loaded belongs to the VM, not to the function around, whose own variables may stay in
// registers.
//
// The value, or 0 when the address cannot be read. `instruction` loads with zero extension.
#define REC_LOAD_OR_ZERO(instruction, address, value) \
  asm volatile("1: " instruction "\n2:\n" REC_FAULT_ENTRY("2b") : [to] "+&r"(value) : [from] "r"(address))

inline uint64_t u64_at(uint64_t address) {
  uint64_t value = 0;
  REC_LOAD_OR_ZERO(REC_LOAD_64, address, value);
  return value;
}

inline uint32_t u32_at(uint64_t address) {
  uint32_t value = 0;
  REC_LOAD_OR_ZERO(REC_LOAD_32, address, value);
  return value;
}

inline uint16_t u16_at(uint64_t address) {
  uint32_t value = 0;
  REC_LOAD_OR_ZERO(REC_LOAD_16, address, value);
  return static_cast<uint16_t>(value);
}

inline uint8_t u8_at(uint64_t address) {
  uint32_t value = 0;
  REC_LOAD_OR_ZERO(REC_LOAD_8, address, value);
  return static_cast<uint8_t>(value);
}

// `failed` is 1 before, and 0 after the load has been done.
#define REC_LOAD_IF_READABLE(instruction, address, loaded, failed)                     \
  asm volatile("1: " instruction "\n " REC_CLEAR_FAILED "\n2:\n" REC_FAULT_ENTRY("2b") \
               : [to] "+&r"(loaded), [no] "+&r"(failed)                                \
               : [from] "r"(address))

// Where a reader has to tell 0 from "cannot be read". value keeps what it was then.
inline bool load64(uint64_t address, uint64_t& value) {
  uint64_t loaded = 0;
  uint32_t failed = 1;
  REC_LOAD_IF_READABLE(REC_LOAD_64, address, loaded, failed);
  if (failed == 0) value = loaded;
  return failed == 0;
}

inline bool load32(uint64_t address, uint32_t& value) {
  uint32_t loaded = 0, failed = 1;
  REC_LOAD_IF_READABLE(REC_LOAD_32, address, loaded, failed);
  if (failed == 0) value = loaded;
  return failed == 0;
}

inline bool load16(uint64_t address, uint16_t& value) {
  uint32_t loaded = 0, failed = 1;
  REC_LOAD_IF_READABLE(REC_LOAD_16, address, loaded, failed);
  if (failed == 0) value = static_cast<uint16_t>(loaded);
  return failed == 0;
}

inline bool load8(uint64_t address, uint8_t& value) {
  uint32_t loaded = 0, failed = 1;
  REC_LOAD_IF_READABLE(REC_LOAD_8, address, loaded, failed);
  if (failed == 0) value = static_cast<uint8_t>(loaded);
  return failed == 0;
}

}  // namespace rec::agent
