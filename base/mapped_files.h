// SPDX-License-Identifier: Apache-2.0
// The files of mappings, by /proc/self/maps. On btrfs and overlayfs stat() has other numbers of the same file than that
// list, so a file is compared by mapping it for a moment, unread. Ordinary threads; allocates.
#pragma once

#include <cstdint>
#include <string>

#include "base/file_identity.h"

namespace base {

// Of mappings as they are now: one reading of the kernel's list answers for as many addresses as one likes.
class MappedFiles {
 public:
  MappedFiles();
  // Of an address that no file is mapped at: nothing. path: of the file, to see when it was last written to.
  FileIdentity at(uint64_t address, const std::string& path) const;

 private:
  std::string maps_;
};

// Is the open file that one? False, too, if it cannot be found out.
bool is_file(int fd, const FileIdentity& identity);

// Of an open file, to see whether it is the one that was open a moment ago. fd -1: of what is no file.
struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(int fd);

}  // namespace base
