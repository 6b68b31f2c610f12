// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/safe_load.h"

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>

namespace rec::agent {
namespace {

struct FaultEntry {
  int32_t load;      // distance from this word to the instruction that may fault
  int32_t fallback;  // distance from this word to where it goes on
};

}  // namespace

extern "C" {
extern const FaultEntry __start_rec_faults[] __attribute__((visibility("hidden")));
extern const FaultEntry __stop_rec_faults[] __attribute__((visibility("hidden")));
}

namespace {

std::atomic<uint64_t> faults{0};
struct sigaction previous_segv;
struct sigaction previous_bus;

uint64_t place(const int32_t& distance) { return reinterpret_cast<uint64_t>(&distance) + static_cast<int64_t>(distance); }

// Where a load at pc goes on after a fault, or 0 if pc is none of ours.
uint64_t fallback_of(uint64_t pc) {
  for (const FaultEntry* entry = __start_rec_faults; entry != __stop_rec_faults; ++entry)
    if (place(entry->load) == pc) return place(entry->fallback);
  return 0;
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
  if (const uint64_t next = fallback_of(static_cast<uint64_t>(registers[REG_RIP]))) {
    faults.fetch_add(1, std::memory_order_relaxed);
    registers[REG_RIP] = static_cast<greg_t>(next);
    return;
  }
  pass_on(signal == SIGBUS ? previous_bus : previous_segv, signal, info, context);
}

bool install(int signal, struct sigaction& previous) {
  if (sigaction(signal, nullptr, &previous) != 0) return false;
  struct sigaction ours = previous;  // the same mask and flags: what comes after us must not notice
  ours.sa_sigaction = on_fault;
  ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  if (!(previous.sa_flags & SA_SIGINFO) && (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)) {
    sigemptyset(&ours.sa_mask);
  }
  return sigaction(signal, &ours, nullptr) == 0;
}

}  // namespace

bool safe_copy(void* to, const void* from, size_t size) {
  asm volatile goto("1: rep movsb\n" REC_FAULT_ENTRY("fault")
           : "+D"(to), "+S"(from), "+c"(size) : : "memory" : fault);
  return true;
fault:
  return false;
}

bool install_fault_handler() { return install(SIGSEGV, previous_segv) && install(SIGBUS, previous_bus); }

uint64_t faulted_loads() { return faults.load(std::memory_order_relaxed); }

}  // namespace rec::agent
