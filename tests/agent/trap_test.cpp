// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/processor/trap.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace rec::agent;

// As the VM's probe: a nop that is met with a value in rdi, and code behind it that has to run.
extern "C" uint64_t rec_test_probe(uint64_t value);
extern "C" const char rec_test_nop[];
asm(".pushsection .text\n"
    "rec_test_probe:\n"
    "rec_test_nop:\n"
    "  nop\n"
    "  lea 1(%rdi), %rax\n"
    "  ret\n"
    ".popsection\n");

namespace {

const uint64_t kProbe = reinterpret_cast<uint64_t>(rec_test_nop);
uint64_t told = 0;

void tell(uint64_t value) {
  told = value;
  errno = ENOENT;
}
void tell_and_load(uint64_t address) {
  const uint64_t before = faulted_loads();
  u64_at(address);
  told += faulted_loads() - before;
}

// As a service does before it makes the VM, and as HotSpot then does in each of its threads.
void block_all_but_what_the_vm_needs() {
  sigset_t all;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigdelset(&all, fault);
  sigprocmask(SIG_SETMASK, &all, nullptr);
}

// What `act` returns in a process of its own, which has the trap; 100 and the signal's number when a signal ended it.
int in_child_with_trap(OnTrap on_trap, int (*act)()) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    block_all_but_what_the_vm_needs();
    if (!install_fault_handler() || !set_trap(kProbe, register_index("rdi"), on_trap)) _exit(99);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("damage: a trap is met, told and passed by a thread that blocks all signals which the VM lets it block") {
  CHECK(in_child_with_trap(tell, [] {
          errno = 5;
          for (uint64_t value = 40; value < 43; ++value)
            if (rec_test_probe(value) != value + 1 || told != value) return 1;
          return errno == 5 ? 0 : 2;
        }) == 0);
}

TEST_CASE("damage: what a trap tells may load memory that is gone") {
  CHECK(in_child_with_trap(tell_and_load, [] {
          for (uint64_t times = 1; times < 4; ++times)
            if (rec_test_probe(8) != 9 || told != times) return 1;  // nobody has memory there
          return fault_handler_stands() ? 0 : 2;
        }) == 0);
}

TEST_CASE("a trap is set over a nop only, and once cleared it is none") {
  CHECK(in_child_with_trap(tell, [] {
          if (set_trap(kProbe, register_index("rdi"), tell) || set_trap(kProbe + 1, 0, tell)) return 1;
          clear_trap(kProbe);
          return rec_test_probe(7) == 8 && told == 0 ? 0 : 2;
        }) == 0);
}

TEST_CASE("damage: an instruction that no program may execute ends the process where there is no trap") {
  CHECK(in_child_with_trap(tell, [] {
          asm volatile("hlt");
          return 0;
        }) == 100 + SIGSEGV);
}

#endif
