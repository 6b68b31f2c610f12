// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/quit_signal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

extern "C" {
#include <sys/pidfd.h>
}

#include "jrec/control/jvm_process.h"

namespace jrec {

QuitSignal::QuitSignal(pid_t pid) : pid_(pid), process_(::pidfd_open(pid, 0)) {}

bool QuitSignal::send() const {
  if (process_) return ::pidfd_send_signal(process_.fd(), SIGQUIT, nullptr, 0) == 0;
  return ::kill(pid_, SIGQUIT) == 0;
}

bool QuitSignal::ended_within(std::chrono::milliseconds limit) const {
  pollfd process{process_.fd(), POLLIN, 0};  // without a descriptor this only waits
  ::poll(&process, 1, static_cast<int>(limit.count()));
  return !is_alive(pid_);
}

}  // namespace jrec
