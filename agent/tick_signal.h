// SPDX-License-Identifier: Apache-2.0
// TickSignal is the signal that clocks raise: one that nobody else in the process handles.
//
// SIGPROF is meant for this; some programs take it, before us or after. Who had it first keeps it: we take another. Our
// handlers stay installed for the life of the process: a tick that was pending while its thread blocked the signal
// would end the process if it met the default action.
#pragma once

#include <csignal>

namespace rec::agent {

class TickSignal {
 public:
  using Handler = void (*)(int signal, siginfo_t* info, void* context);

  explicit TickSignal(Handler handler) : handler_(handler) {}

  // Puts the handler on a free signal, or finds it there. False: none is free. Ordinary threads, one at a time.
  bool take();
  bool is_ours() const;  // nobody has replaced the handler since
  int number() const { return number_; }

 private:
  bool take(int signal);

  const Handler handler_;
  int number_ = 0;  // 0: none
};

}  // namespace rec::agent
