// SPDX-License-Identifier: Apache-2.0
#include "agent/process/own_thread.h"

#include <signal.h>

namespace rec::agent {

void block_all_but_faults() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

}  // namespace rec::agent
