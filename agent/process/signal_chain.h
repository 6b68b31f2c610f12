// SPDX-License-Identifier: Apache-2.0
// SignalChain is our handler in front of those that had a signal before us: what is not ours goes on to them.
//
//   put_in_front()  -> [ours] -> first predecessor                      the VM, as a rule
//   put_in_front()  -> [ours] -> somebody, who took it later            and may call ours, which he found, in turn:
//                                  -> [ours] -> first predecessor       it goes one further each time
//
// One for each signal; it lives as long as the process, for taking our handler out could drop somebody who came later.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace rec::agent {

class SignalChain {
 public:
  using Handler = void (*)(int signal, siginfo_t* info, void* context);
  // While ours runs, `waits` does: another signal whose handler is to see where the thread stood, and not ours. 0: none.
  constexpr SignalChain(int signal, Handler ours, int waits = 0) : signal_(signal), ours_(ours), waits_(waits) {}

  // Signal-safe, all; the last in our handler only.

  // Nothing changes when ours stands. Mask and flags stay those of the handler before, which must not notice, but that
  // faults are never blocked, and what waits is (HotSpot unblocks it as its own handler begins, signals_posix.cpp). False: the system refuses, somebody else is about it, or it was needed too often.
  bool put_in_front();
  bool stands() const;  // ours comes first. One system call
  bool is_full() const { return count_.load(std::memory_order_relaxed) == kMaxPredecessors; }
  void pass_up(siginfo_t* info, void* context);

 private:
  static constexpr int kMaxPredecessors = 8;

  bool is_ours(const struct sigaction& action) const;
  bool replace(const struct sigaction& present);

  const int signal_;
  const Handler ours_;
  const int waits_;
  // Invariant: [0, count) are written and stay.
  std::array<struct sigaction, kMaxPredecessors> predecessors_{};
  std::atomic<int> count_{0};
  std::atomic<bool> changing_{false};  // put_in_front() is under way
};

}  // namespace rec::agent
