// SPDX-License-Identifier: Apache-2.0
// Whether a handler may walk the stack of the thread it interrupts, by the room on the stack that it has itself.
#include "agent/hotspot/processor/signal_context.h"

#include <doctest/doctest.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

using namespace rec::agent;

namespace {

enum Answer : int { kNoWalk, kJavaWalk, kWholeWalk, kFailed };

volatile int answer = kFailed;

void on_signal(int, siginfo_t*, void* context) {
  const auto& of_thread = *static_cast<const ucontext_t*>(context);
  answer = !may_fault(of_thread) ? kNoWalk : has_room(of_thread) ? kWholeWalk : kJavaWalk;
}

// beyond: bytes of the alternate stack behind what the kernel needs of it.
int answer_on(size_t beyond) {
  const size_t size = getauxval(AT_MINSIGSTKSZ) + beyond;
  std::vector<char> room(size);
  stack_t stack{};
  stack.ss_sp = room.data(), stack.ss_size = size;
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaltstack(&stack, nullptr) != 0 || sigaction(SIGUSR2, &action, nullptr) != 0) return kFailed;
  raise(SIGUSR2);
  return answer;
}

// In a process of its own: our fault handler stays.
int answer_in_child(size_t beyond) {
  const pid_t child = fork();
  if (child == 0) {
    install_fault_handler();
    _exit(answer_on(beyond));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
}

}  // namespace

TEST_CASE("damage: on an alternate stack without room for a fault nothing is walked") {
  const size_t frame = getauxval(AT_MINSIGSTKSZ);
  REQUIRE(frame > 0);
  CHECK(answer_in_child(720) == kNoWalk);
  CHECK(answer_in_child(frame) == kNoWalk);
  CHECK(answer_in_child(frame + 5120) != kNoWalk);
  CHECK(answer_in_child(2 * frame + 16384) == kWholeWalk);
}
