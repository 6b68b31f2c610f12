// SPDX-License-Identifier: Apache-2.0
// For words that others load without an order of their own, as a call through an import table does: who sees the word must see
// what belongs to it, too. On x86-64 a store in order is enough.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace rec::agent {

// Whatever this thread has stored is seen by all threads of the process before anything that it stores afterwards. An ordinary
// thread's; takes up to some ten milliseconds. Without the system call (before Linux 4.3) nothing happens.
inline void seen_by_all_from_here() {
#if !defined(__x86_64__)
  constexpr int kAllThreads = 1;  // MEMBARRIER_CMD_GLOBAL
  syscall(SYS_membarrier, kAllThreads, 0, 0);
#endif
}

}  // namespace rec::agent
