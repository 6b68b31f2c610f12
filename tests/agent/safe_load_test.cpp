// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/safe_load.h"

using namespace rec::agent;

namespace {

// Two pages of which only the first may be read.
struct HalfReadable {
  HalfReadable() {
    memory = static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memset(memory, 7, 4096);
    mprotect(memory + 4096, 4096, PROT_NONE);
  }
  ~HalfReadable() { munmap(memory, 8192); }
  char* memory;
};

uint64_t address(const void* p) { return reinterpret_cast<uint64_t>(p); }

}  // namespace

TEST_CASE("a safe load of readable memory gives its value, of every width") {
  REQUIRE(install_fault_handler());  // doctest takes the signal for each case anew
  const uint64_t value = 0x1122334455667788;
  uint64_t v64 = 0;
  uint32_t v32 = 0;
  uint16_t v16 = 0;
  uint8_t v8 = 0;
  CHECK((load64(address(&value), v64) && v64 == value));
  CHECK((load32(address(&value), v32) && v32 == 0x55667788));
  CHECK((load16(address(&value), v16) && v16 == 0x7788));
  CHECK((load8(address(&value), v8) && v8 == 0x88));
}

TEST_CASE("damage: a safe load of memory that is gone declines, leaves its target alone and is counted") {
  REQUIRE(install_fault_handler());  // doctest takes the signal for each case anew
  const uint64_t before = faulted_loads();
  uint64_t untouched = 42;
  CHECK_FALSE(load64(0, untouched));
  CHECK_FALSE(load64(0x7fff00000000, untouched));
  CHECK(untouched == 42);
  CHECK(u64_at(8) == 0);
  CHECK(faulted_loads() == before + 3);
}

TEST_CASE("damage: a load across the end of readable memory declines") {
  REQUIRE(install_fault_handler());  // doctest takes the signal for each case anew
  const HalfReadable pages;
  uint64_t value = 0;
  CHECK(load64(address(pages.memory + 4088), value));
  CHECK_FALSE(load64(address(pages.memory + 4092), value));
}

TEST_CASE("damage: a copy that runs into unreadable memory says so") {
  REQUIRE(install_fault_handler());  // doctest takes the signal for each case anew
  const HalfReadable pages;
  char copy[64] = {};
  CHECK(safe_copy(copy, pages.memory + 4096 - sizeof copy, sizeof copy));
  CHECK(copy[63] == 7);
  CHECK_FALSE(safe_copy(copy, pages.memory + 4096 - 10, sizeof copy));
}

#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
TEST_CASE("damage: a fault that is none of ours goes to whoever handled it before") {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    install_fault_handler();
    volatile uintptr_t nowhere = 16;
    *reinterpret_cast<volatile int*>(nowhere) = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGSEGV);
}

namespace {

struct sigaction before_late;
int first_calls = 0, late_calls = 0;

// As the VM's: it knows the fault and ends the story.
void first_handler(int, siginfo_t*, void*) { _exit(++first_calls == 1 && late_calls == 1 ? 7 : 8); }

// Installed after ours, and calls whom it found, which is us.
void late_handler(int signal, siginfo_t* info, void* context) {
  ++late_calls;
  before_late.sa_sigaction(signal, info, context);
}

void install_by_hand(void (*handler)(int, siginfo_t*, void*), struct sigaction* before) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, before);
}

}  // namespace

TEST_CASE("a handler that came after ours and calls ours gets its faults once, then the one before it") {
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction ignored;
    install_by_hand(first_handler, &ignored);
    install_fault_handler();
    if (!fault_handler_stands()) _exit(1);
    install_by_hand(late_handler, &before_late);
    if (fault_handler_stands()) _exit(2);
    install_fault_handler();
    if (!fault_handler_stands()) _exit(3);
    if (u64_at(8) != 0 || late_calls != 0) _exit(4);  // a safe load is still ours
    volatile uintptr_t nowhere = 16;
    *reinterpret_cast<volatile int*>(nowhere) = 1;
    _exit(5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

namespace {

// As the handler of another copy of the library begins.
[[gnu::naked]] void copys_handler(int, siginfo_t*, void*) {
  asm("nopl 0x3a636572(%%rax)\n\tnopl 0x73736170(%%rax)\n\tnopl 0x6e6f7365(%%rax)\n\tjmp *%0"
      :
      : "m"(before_late.sa_sigaction));
}

// 0: as it should be.
int with_somebody_in_front() {
  struct sigaction ours;
  if (!install_fault_handler() || !fault_handler_ready()) return 1;
  install_by_hand(copys_handler, &before_late);
  if (!fault_handler_ready() || fault_handler_stands() || fault_handler_returns() != 0) return 2;  // it passes on
  if (u64_at(8) != 0) return 3;
  install_by_hand(late_handler, &ours);
  if (fault_handler_ready()) return 4;  // he may be gone in a moment, with what he was there for
  usleep(60'000);
  if (!fault_handler_ready() || !fault_handler_stands() || fault_handler_returns() != 1) return 5;
  return u64_at(8) == 0 && late_calls == 0 ? 0 : 6;
}

}  // namespace

TEST_CASE("a copy of ours may stand in front of our fault handler, anybody else for a moment only") {
  const pid_t child = fork();
  if (child == 0) _exit(with_somebody_in_front());
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

namespace {

sigjmp_buf way_out;
void never_called(int, siginfo_t*, void*) { _exit(9); }
void jumping_handler(int, siginfo_t*, void*) { siglongjmp(way_out, 1); }

[[gnu::noinline]] void fault_below(int frames) {
  volatile char frame[200];
  frame[0] = 1;
  volatile uintptr_t nowhere = 16;
  if (frames == 0) *reinterpret_cast<volatile int*>(nowhere) = 1;
  if (frames > 0) fault_below(frames - 1);
  frame[1] = frame[0];
}

}  // namespace

TEST_CASE("damage: a handler that leaves by a jump gets the next fault too, from whatever depth") {
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction ignored;
    install_by_hand(never_called, &ignored);
    install_fault_handler();
    install_by_hand(jumping_handler, &ignored);
    install_fault_handler();
    if (!fault_handler_stands()) _exit(1);
    const stack_t none{nullptr, SS_DISABLE, 0};  // doctest's; on it handlers would always begin at the same place
    sigaltstack(&none, nullptr);
    static int round = 0;  // a jump leaves it as it is
    for (; round < 40; ++round)
      if (sigsetjmp(way_out, 1) == 0) fault_below(round % 2 == 0 ? round : 40 - round), _exit(2);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}
#endif
#endif
