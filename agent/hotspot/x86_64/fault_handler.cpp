// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/x86_64/fault_handler.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cassert>

#include "agent/hotspot/x86_64/trap.h"
#include "agent/process/signal_chain.h"

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

void on_fault(int signal, siginfo_t* info, void* context);

constinit SignalChain segv(SIGSEGV, on_fault), bus(SIGBUS, on_fault);

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

void on_fault(int signal, siginfo_t* info, void* context) {
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (const uint64_t resume = resume_at(static_cast<uint64_t>(registers[REG_RIP]))) {
    faults.fetch_add(1, std::memory_order_relaxed);
    registers[REG_RIP] = static_cast<greg_t>(resume);
    return;
  }
  if (meet_trap(*static_cast<ucontext_t*>(context))) return;
  (signal == SIGBUS ? bus : segv).pass_up(info, context);
}

}  // namespace

bool install_fault_handler() {
  find_bounds();
  return segv.put_in_front() && bus.put_in_front();
}

bool fault_handler_stands() { return segv.stands(); }

uint64_t faulted_loads() { return faults.load(std::memory_order_relaxed); }

}  // namespace rec::agent
