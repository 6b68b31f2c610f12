// SPDX-License-Identifier: Apache-2.0
// FileMark is by what an open file is known again, whatever number its descriptor has: device and inode. The number alone
// proves nothing in somebody else's process, who may close it (twice by mistake, or all, as daemons do) and then get it
// for a file of his own. What has no inode of its own (sockets of events, perf's counters) cannot be told apart so.
// Signal-safe.
#pragma once

#include <cstdint>

namespace base {

struct FileMark {
  uint64_t device = 0, inode = 0;

  static FileMark of(int fd);          // zeros: it tells none
  bool is_of(int fd) const;            // true as well where the system does not say
  bool is_at(const char* path) const;  // true as well where we may not look: it was there
};

}  // namespace base
