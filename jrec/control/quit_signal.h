// SPDX-License-Identifier: Apache-2.0
// QuitSignal sends SIGQUIT to a process that was looked at before, and to no other one: the pid may be given to a new
// process in between, and SIGQUIT kills whoever has no handler.
//
//   QuitSignal signal(pid);         from here on it is this process
//   ...look at /proc/PID...
//   signal.send();
//
// Kernels before 5.3 have no descriptors of processes; there the pid has to do.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/descriptor.h"

namespace jrec {

class QuitSignal {
 public:
  explicit QuitSignal(pid_t pid);

  // False, with errno, when it could not be sent.
  bool send() const;

  // Waits until the process has ended, at most so long. What a dying process closes, it closes shortly before that.
  bool ended_within(std::chrono::milliseconds limit) const;

 private:
  pid_t pid_;
  base::Descriptor process_;
};

}  // namespace jrec
