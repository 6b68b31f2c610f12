// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/breakpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint8_t kNop = 0x90, kBreakpoint = 0xcc;

// By the kernel, which copies the page for us; the code is never writable. Works where W^X is enforced on mprotect,
// too.
bool write_byte(uint64_t address, uint8_t value) {
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  const bool done = pwrite(memory, &value, 1, static_cast<off_t>(address)) == 1;
  close(memory);
  return done && u8_at(address) == value;
}

}  // namespace

int register_index(const std::string& name) {
  struct Named {
    const char* name;
    int index;
  };
  constexpr Named kNamed[] = {{"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX}, {"rdx", REG_RDX}, {"rsi", REG_RSI},
                              {"rdi", REG_RDI}, {"rbp", REG_RBP}, {"r8", REG_R8},   {"r9", REG_R9},   {"r10", REG_R10},
                              {"r11", REG_R11}, {"r12", REG_R12}, {"r13", REG_R13}, {"r14", REG_R14}, {"r15", REG_R15}};
  for (const Named& named : kNamed)
    if (name == named.name) return named.index;
  return -1;
}

bool is_nop(uint64_t pc) { return u8_at(pc) == kNop; }
bool set_breakpoint(uint64_t pc) { return is_nop(pc) && write_byte(pc, kBreakpoint); }
void clear_breakpoint(uint64_t pc) { write_byte(pc, kNop); }

uint64_t breakpoint_of(const ucontext_t& context) {
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]) - 1;
}

uint64_t register_at(const ucontext_t& context, int index) {
  return static_cast<uint64_t>(context.uc_mcontext.gregs[index]);
}

}  // namespace rec::agent
