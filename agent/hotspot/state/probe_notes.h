// SPDX-License-Identifier: Apache-2.0
// Finds a USDT probe in an ELF file: the notes of .note.stapsdt say where its nop is and where its arguments are found
// (systemtap's sys/sdt.h; HotSpot's are in src/hotspot/os/posix/dtrace). For start-up only, from ordinary threads; the
// file is a stranger's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rec::agent {

struct ProbePlace {
  uint64_t pc = 0;        // as the file numbers addresses, before loading
  std::string arguments;  // "8@%rdx -4@%eax 8@152(%rbx) 1@$0"
};

// All places of the probe; none when there are none, or the file is not what it should be.
std::vector<ProbePlace> find_probes(std::span<const std::byte> elf, const char* provider, const char* name);

// "8@152(%rbx)" -> a register and a displacement. register_name "": no such operand.
struct MemoryOperand {
  std::string register_name;  // "rbx"
  int64_t displacement = 0;
};
MemoryOperand memory_operand(const std::string& arguments, size_t index);

}  // namespace rec::agent
