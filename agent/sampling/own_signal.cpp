// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/own_signal.h"

#include <initializer_list>

#include "agent/options/log.h"

namespace rec::agent {
namespace {

constexpr int kClockSignals[] = {SIGSTKFLT, SIGVTALRM, SIGPWR, SIGPROF, SIGPOLL};

// The class library takes it when the first socket is opened, whoever has it (src/java.base/linux/native/libnet/
// linux_close.c and libnio/ch/NativeThread.c).
int jdk_network_signal() { return SIGRTMAX - 2; }

// While one of our handlers runs another one waits: it is to see where the thread stood, and not us. So do the two by which threads are reached
// that block these; no handler of ours divides by zero, or has no next instruction.
sigset_t all_of_ours() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {kSpareClockSignal, kSpareQuestionSignal}) sigaddset(&signals, signal);
  for (const int signal : kClockSignals) sigaddset(&signals, signal);
  for (int signal = SIGRTMIN + 1; signal < SIGRTMAX; ++signal)
    if (signal != jdk_network_signal()) sigaddset(&signals, signal);
  return signals;
}

bool is_free(const struct sigaction& action) {
  return !(action.sa_flags & SA_SIGINFO) && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
}

bool is_handler(const struct sigaction& action, OwnSignal::Handler handler) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == handler;
}

}  // namespace

bool OwnSignal::take() {
  number_ = 0;
  if (use_ == Use::kClock) {
    for (int signal : kClockSignals)
      if (take(signal)) return true;
    return false;
  }
  for (int signal = SIGRTMAX - 1; signal > SIGRTMIN; --signal)  // programs that want one begin at either end
    if (signal != jdk_network_signal() && take(signal)) return true;
  return false;
}

bool OwnSignal::take(int signal) {
  struct sigaction present;
  if (sigaction(signal, nullptr, &present) != 0) return false;
  if (!is_handler(present, handler_) && !is_free(present)) return false;
  struct sigaction action {};
  action.sa_sigaction = handler_;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  action.sa_mask = all_of_ours();
  if (sigaction(signal, &action, nullptr) != 0) return false;
  number_ = signal;
  return true;
}

bool OwnSignal::is_ours() const {
  struct sigaction present;
  return number_ != 0 && sigaction(number_, nullptr, &present) == 0 && is_handler(present, handler_);
}

bool OwnSignal::keep() {
  const bool kept = is_ours() || take();
  if (!kept && !said_)
    say(LogLevel::kWarn, "no signal is left to ask threads where they are: others handle all of them");
  said_ = !kept;
  return kept;
}

}  // namespace rec::agent
