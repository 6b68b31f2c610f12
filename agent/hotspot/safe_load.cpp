// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/safe_load.h"

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>

namespace rec::agent {

// The loads. Where each may fault has a name; all faults end in one place.
asm(R"(
  .pushsection .text.rec_safe_loads, "ax", @progbits
  .globl rec_safe_load64, rec_safe_load32, rec_safe_load16, rec_safe_load8, rec_safe_copy, rec_safe_copying, rec_safe_fault
  .hidden rec_safe_load64, rec_safe_load32, rec_safe_load16, rec_safe_load8, rec_safe_copy, rec_safe_copying, rec_safe_fault
  .type rec_safe_load64, @function
  .type rec_safe_load32, @function
  .type rec_safe_load16, @function
  .type rec_safe_load8, @function
  .type rec_safe_copy, @function
rec_safe_load64:
  movq (%rdi), %rax
  movl $1, %edx
  ret
rec_safe_load32:
  movl (%rdi), %eax
  movl $1, %edx
  ret
rec_safe_load16:
  movzwl (%rdi), %eax
  movl $1, %edx
  ret
rec_safe_load8:
  movzbl (%rdi), %eax
  movl $1, %edx
  ret
rec_safe_copy:
  movq %rdx, %rcx
rec_safe_copying:
  rep movsb
  movl $1, %eax
  ret
rec_safe_fault:
  xorl %eax, %eax
  xorl %edx, %edx
  ret
  .popsection
)");

extern "C" {
extern const char rec_safe_copying[] __attribute__((visibility("hidden")));
extern const char rec_safe_fault[] __attribute__((visibility("hidden")));
}

namespace {

std::atomic<uint64_t> faults{0};
struct sigaction previous_segv;
struct sigaction previous_bus;

bool is_safe_load(uint64_t pc) {
  return pc == reinterpret_cast<uint64_t>(rec_safe_load64) || pc == reinterpret_cast<uint64_t>(rec_safe_load32) ||
         pc == reinterpret_cast<uint64_t>(rec_safe_load16) || pc == reinterpret_cast<uint64_t>(rec_safe_load8) ||
         pc == reinterpret_cast<uint64_t>(rec_safe_copying);
}

void pass_on(const struct sigaction& previous, int signal, siginfo_t* info, void* context) {
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL) {
    // Nobody else wants it: let the kernel do what it would have done. The instruction faults again at return.
    struct sigaction fatal {};
    fatal.sa_handler = SIG_DFL;
    sigaction(signal, &fatal, nullptr);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (is_safe_load(static_cast<uint64_t>(registers[REG_RIP]))) {
    faults.fetch_add(1, std::memory_order_relaxed);
    registers[REG_RIP] = reinterpret_cast<greg_t>(rec_safe_fault);
    return;
  }
  pass_on(signal == SIGBUS ? previous_bus : previous_segv, signal, info, context);
}

bool install(int signal, struct sigaction& previous) {
  struct sigaction present;
  if (sigaction(signal, nullptr, &present) != 0) return false;
  if ((present.sa_flags & SA_SIGINFO) && present.sa_sigaction == on_fault) return true;
  previous = present;
  struct sigaction ours = previous;  // the same mask and flags: what comes after us must not notice
  ours.sa_sigaction = on_fault;
  ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  if (!(previous.sa_flags & SA_SIGINFO) && (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)) {
    sigemptyset(&ours.sa_mask);
  }
  return sigaction(signal, &ours, nullptr) == 0;
}

}  // namespace

bool install_fault_handler() { return install(SIGSEGV, previous_segv) && install(SIGBUS, previous_bus); }

uint64_t faulted_loads() { return faults.load(std::memory_order_relaxed); }

}  // namespace rec::agent
