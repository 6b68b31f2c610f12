// SPDX-License-Identifier: Apache-2.0
// Which file a mapping is of, whatever has come to the file's path since: the numbers that /proc/self/maps shows
// (mapped_files.h). Signal-safe.
#pragma once

#include <cstdint>

namespace base {

struct FileIdentity {
  uint64_t device = 0;      // major << 32 | minor
  uint64_t inode = 0;       // 0: not known; nothing is said of the file
  int64_t modified_ns = 0;  // 0: not known. A file that is written over in place is the same by the other two

  explicit operator bool() const { return inode != 0; }
};

}  // namespace base
