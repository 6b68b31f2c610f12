// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/processor/fault_handler.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>

#include "agent/hotspot/processor/this_processor.h"
#include "agent/hotspot/processor/trap.h"
#include "agent/process/signal_chain.h"
#include REC_OF_PROCESSOR(fault_entry.h)
#include REC_OF_PROCESSOR(machine_context.h)

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

[[gnu::used]] void meet_fault(int signal, siginfo_t* info, void* context) {
  ucontext_t& thread = *static_cast<ucontext_t*>(context);
  if (const uint64_t resume = resume_at(pc_of(thread))) {
    faults.fetch_add(1, std::memory_order_relaxed);
    set_pc(thread, resume);
    return;
  }
  if (meet_trap(thread)) return;
  (signal == SIGBUS ? bus : segv).pass_up(info, context);
}

REC_ONLY_ASM void on_fault(int, siginfo_t*, void*) { REC_PASS_ON(meet_fault); }

constexpr size_t kBranchMark = 4;  // endbr64, or bti c, which may stand before
constexpr int64_t kStayNs = 50'000'000;

// Who was in front of us at the last look, and since when.
std::atomic<uintptr_t> intruder{0}, known_copy{0};
std::atomic<int64_t> intruder_since{0};
std::atomic<uint32_t> returns{0};

// By the system: his code may have gone, and he would get the fault.
bool is_copy_of_ours(uintptr_t handler) {
  if (handler == known_copy.load(std::memory_order_relaxed)) return handler != 0;
  unsigned char code[kBranchMark + sizeof kPassesOn];
  const iovec to{code, sizeof code}, from{reinterpret_cast<void*>(handler), sizeof code};
  if (syscall(SYS_process_vm_readv, getpid(), &to, 1, &from, 1, 0) != static_cast<long>(sizeof code)) return false;
  const bool is_copy = std::memcmp(code, kPassesOn, sizeof kPassesOn) == 0 ||
                       std::memcmp(code + kBranchMark, kPassesOn, sizeof kPassesOn) == 0;
  if (is_copy) known_copy.store(handler, std::memory_order_relaxed);
  return is_copy;
}

int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

bool has_stayed(uintptr_t handler) {
  const int64_t now = now_ns();
  if (intruder.exchange(handler, std::memory_order_relaxed) == handler)
    return now - intruder_since.load(std::memory_order_relaxed) > kStayNs;
  intruder_since.store(now, std::memory_order_relaxed);
  return false;
}

}  // namespace

bool fault_handler_ready() {
  struct sigaction present;
  if (sigaction(SIGSEGV, nullptr, &present) != 0) return false;
  const auto handler = reinterpret_cast<uintptr_t>(present.sa_sigaction);
  if (present.sa_sigaction == on_fault) {
    if (intruder.load(std::memory_order_relaxed) != 0) intruder.store(0, std::memory_order_relaxed);
    return true;
  }
  if (is_copy_of_ours(handler)) return true;
  if (!has_stayed(handler) || !segv.put_in_front() || !bus.put_in_front()) return false;
  returns.fetch_add(1, std::memory_order_relaxed);
  return true;
}

uint32_t fault_handler_returns() { return returns.load(std::memory_order_relaxed); }

bool fault_handler_lost() { return segv.is_full() && !segv.stands(); }

bool install_fault_handler() {
  find_bounds();
  return segv.put_in_front() && bus.put_in_front();
}

bool fault_handler_stands() { return segv.stands(); }

uint64_t faulted_loads() { return faults.load(std::memory_order_relaxed); }

}  // namespace rec::agent
