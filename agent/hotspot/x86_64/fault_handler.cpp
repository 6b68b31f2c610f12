// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/fault_handler.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>

namespace rec::agent {
namespace {

struct FaultEntry {
  int32_t load;    // distance from this word to the instruction that may fault
  int32_t resume;  // distance from this word to where it goes on
};

}  // namespace

// The linker's names for both ends of the table; weak, since a program may have the handler and no load.
extern "C" {
extern const FaultEntry __start_rec_faults[] __attribute__((weak, visibility("hidden")));
extern const FaultEntry __stop_rec_faults[] __attribute__((weak, visibility("hidden")));
}

namespace {

std::atomic<uint64_t> faults{0};

// Who had a signal before us, each time that we put ourselves in front; the first is the VM.
struct Predecessors {
  static constexpr int kMax = 8;
  std::array<struct sigaction, kMax> actions;
  std::atomic<int> count{0};  // of those that are written
};
Predecessors before_segv, before_bus;

// How far up the chain this thread's fault has been passed on: a predecessor that was installed after us may call us
// again. sp tells whether we are still below that call, or whether somebody has jumped out of it.
struct Passing {
  int depth = 0;
  uintptr_t sp = 0;
};
thread_local Passing passing __attribute__((tls_model("initial-exec")));

uint64_t lowest_load = 0, highest_load = 0;  // of the table: most faults are not ours, and are told apart by these

uint64_t place(const int32_t& distance) {
  return reinterpret_cast<uint64_t>(&distance) + static_cast<uint64_t>(static_cast<int64_t>(distance));
}

void find_bounds() {
  assert(&__start_rec_faults[0] != &__stop_rec_faults[0] && "each safe load has its place in the table");
  lowest_load = ~0ull;
  for (const FaultEntry* entry = __start_rec_faults; entry != __stop_rec_faults; ++entry) {
    lowest_load = std::min(lowest_load, place(entry->load));
    highest_load = std::max(highest_load, place(entry->load));
  }
}

// Where a load at pc goes on after a fault, or 0 if pc is none of ours.
uint64_t resume_at(uint64_t pc) {
  if (pc < lowest_load || pc > highest_load) return 0;
  for (const FaultEntry* entry = __start_rec_faults; entry != __stop_rec_faults; ++entry)
    if (place(entry->load) == pc) return place(entry->resume);
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

// The newest predecessor first; when it comes back to us, the one before it.
void pass_up(Predecessors& before, int signal, siginfo_t* info, void* context) {
  const char here = 0;
  const auto sp = reinterpret_cast<uintptr_t>(&here);
  const Passing outer = passing;
  const bool nested = outer.depth > 0 && sp < outer.sp;
  const int depth = nested ? outer.depth : 0;
  // acquire: pairs with the release in install(); these actions are written.
  const int count = before.count.load(std::memory_order_acquire);
  passing = {depth + 1, sp};
  pass_on(before.actions[static_cast<size_t>(std::max(count - 1 - depth, 0))], signal, info, context);
  passing = outer;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (const uint64_t resume = resume_at(static_cast<uint64_t>(registers[REG_RIP]))) {
    faults.fetch_add(1, std::memory_order_relaxed);
    registers[REG_RIP] = static_cast<greg_t>(resume);
    return;
  }
  pass_up(signal == SIGBUS ? before_bus : before_segv, signal, info, context);
}

bool is_on_fault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_fault;
}

bool install(int signal, Predecessors& before) {
  struct sigaction present;
  if (sigaction(signal, nullptr, &present) != 0) return false;
  if (is_on_fault(present)) return true;
  const int count = before.count.load(std::memory_order_relaxed);
  if (count == Predecessors::kMax) return false;
  before.actions[static_cast<size_t>(count)] = present;
  // release: pairs with the acquire in pass_up().
  before.count.store(count + 1, std::memory_order_release);
  struct sigaction ours = present;  // the same mask and flags: what comes after us must not notice
  ours.sa_sigaction = on_fault;
  ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  if (!(present.sa_flags & SA_SIGINFO) && (present.sa_handler == SIG_DFL || present.sa_handler == SIG_IGN))
    sigemptyset(&ours.sa_mask);
  return sigaction(signal, &ours, nullptr) == 0;
}

}  // namespace

bool install_fault_handler() {
  find_bounds();
  return install(SIGSEGV, before_segv) && install(SIGBUS, before_bus);
}

bool fault_handler_stands() {
  struct sigaction present;
  return sigaction(SIGSEGV, nullptr, &present) == 0 && is_on_fault(present);
}

uint64_t faulted_loads() { return faults.load(std::memory_order_relaxed); }

}  // namespace rec::agent
