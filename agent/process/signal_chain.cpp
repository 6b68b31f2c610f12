// SPDX-License-Identifier: Apache-2.0
#include "agent/process/signal_chain.h"

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "agent/process/handler_local.h"

namespace rec::agent {
namespace {

// How far up a chain a signal of this thread has been passed on. A handler may leave by siglongjmp() and never come back
// here: what is left behind then must not be taken for the next signal's. It is the same one if we were called from
// below that call, and with the very registers that the kernel saved for it.
struct Passing {
  const SignalChain* chain = nullptr;
  uintptr_t sp = 0;
  uint32_t registers = 0;
  int depth = 0;
};
REC_HANDLER_LOCAL Passing passing;

// A number for the registers in a signal's context. Whoever passes a signal on may pass a copy of that.
uint32_t registers_of(const void* context) {
  const auto* words = reinterpret_cast<const char*>(&static_cast<const ucontext_t*>(context)->uc_mcontext);
  uint64_t sum = 14695981039346656037u;  // FNV-1a, by words
  for (size_t at = 0; at + sizeof sum <= sizeof(mcontext_t); at += sizeof sum) {
    uint64_t word;
    std::memcpy(&word, words + at, sizeof word);
    sum = (sum ^ word) * 1099511628211u;
  }
  return static_cast<uint32_t>(sum ^ sum >> 32);
}

bool is_nobody(const struct sigaction& action) {
  return !(action.sa_flags & SA_SIGINFO) && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
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

}  // namespace

bool SignalChain::is_ours(const struct sigaction& action) const {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == ours_;
}

bool SignalChain::stands() const {
  struct sigaction present;
  return sigaction(signal_, nullptr, &present) == 0 && is_ours(present);
}

bool SignalChain::put_in_front() {
  // acquire: pairs with the release below; what the one before has written is seen.
  if (changing_.exchange(true, std::memory_order_acquire)) return false;
  struct sigaction present;
  const bool done = sigaction(signal_, nullptr, &present) == 0 && (is_ours(present) || replace(present));
  // release: pairs with the acquire above.
  changing_.store(false, std::memory_order_release);
  return done;
}

bool SignalChain::replace(const struct sigaction& present) {
  const int count = count_.load(std::memory_order_relaxed);
  if (count == kMaxPredecessors) return false;
  predecessors_[static_cast<size_t>(count)] = present;
  // release: pairs with the acquire in pass_up().
  count_.store(count + 1, std::memory_order_release);
  struct sigaction ours = present;
  ours.sa_sigaction = ours_;
  ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  if (is_nobody(present)) sigemptyset(&ours.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS}) sigdelset(&ours.sa_mask, fault);
  if (waits_ != 0) sigaddset(&ours.sa_mask, waits_);
  return sigaction(signal_, &ours, nullptr) == 0;
}

// The newest predecessor first; when it comes back to us, the one before it.
void SignalChain::pass_up(siginfo_t* info, void* context) {
  const char here = 0;
  const auto sp = reinterpret_cast<uintptr_t>(&here);
  const uint32_t registers = registers_of(context);
  const Passing outer = passing;
  const bool nested = outer.chain == this && sp < outer.sp && registers == outer.registers;
  const int depth = nested ? outer.depth : 0;
  // acquire: pairs with the release in replace(); these actions are written.
  const int count = count_.load(std::memory_order_acquire);
  passing = {this, sp, registers, depth + 1};
  pass_on(predecessors_[static_cast<size_t>(std::max(count - 1 - depth, 0))], signal_, info, context);
  passing = outer;
}

}  // namespace rec::agent
