// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/trap.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/processor/signal_context.h"

namespace rec::agent {
namespace {

constexpr uint8_t kNop = 0x90, kHlt = 0xf4;
constexpr size_t kMaxTraps = 8;  // an inlined probe has several places; every VM seen has one

struct Trap {
  uint64_t pc = 0;
  int register_index = 0;
  OnTrap on_trap = nullptr;
};

// Invariant: [0, used) are written and stay. A trap is listed before its instruction is.
std::array<Trap, kMaxTraps> traps;
std::atomic<size_t> used{0};

// By the kernel, which copies the page for us; the code is never writable. Works where W^X is enforced on mprotect,
// too.
bool write_byte(uint64_t address, uint8_t value) {
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  const bool done = pwrite(memory, &value, 1, static_cast<off_t>(address)) == 1;
  close(memory);
  return done && u8_at(address) == value;
}

const Trap* trap_at(uint64_t pc) {
  // acquire: pairs with the release in set_trap(); these traps are written.
  const size_t count = used.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i)
    if (traps[i].pc == pc) return &traps[i];
  return nullptr;
}

// While it lives, the faults of safe loads come through: the handler that we are in blocks its own signal.
class FaultsUnblocked {
 public:
  FaultsUnblocked() {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGSEGV);
    sigaddset(&both, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &both, &before_);
  }
  ~FaultsUnblocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  FaultsUnblocked(const FaultsUnblocked&) = delete;
  FaultsUnblocked& operator=(const FaultsUnblocked&) = delete;

 private:
  sigset_t before_;
};

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

bool set_trap(uint64_t pc, int register_index, OnTrap on_trap) {
  const size_t count = used.load(std::memory_order_relaxed);
  if (count == kMaxTraps || !is_nop(pc)) return false;
  traps[count] = {pc, register_index, on_trap};
  // release: pairs with the acquire in trap_at().
  used.store(count + 1, std::memory_order_release);
  return write_byte(pc, kHlt);
}

void clear_trap(uint64_t pc) { write_byte(pc, kNop); }

bool meet_trap(ucontext_t& thread) {
  auto& registers = thread.uc_mcontext.gregs;
  const Trap* trap = trap_at(static_cast<uint64_t>(registers[REG_RIP]));
  if (trap == nullptr) return false;
  const ErrnoSaver errno_saver;
  const FaultsUnblocked faults_unblocked;
  trap->on_trap(static_cast<uint64_t>(registers[trap->register_index]));
  registers[REG_RIP] += 1;  // as long as the nop
  return true;
}

}  // namespace rec::agent
