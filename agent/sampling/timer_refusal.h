// SPDX-License-Identifier: Apache-2.0
// Why the system gives no timer of CPU time: a filter of system calls (seccomp), or a limit. Ordinary threads.
#pragma once

#include <string>

namespace rec::agent {

struct TimerRefusal {
  const char* call = nullptr;  // that was refused; null: none was
  int error = 0;               // errno

  explicit operator bool() const { return call != nullptr; }
  std::string text() const;  // "timer_create: Resource temporarily unavailable (ulimit -i)"
};

// Of a timer for the calling thread, which raises no signal and is gone again.
TimerRefusal try_timer();

}  // namespace rec::agent
