// SPDX-License-Identifier: Apache-2.0
// DirectoryLock is a directory of ours and the proof that we live: flock(LOCK_EX) on a descriptor of the directory
// itself, held as long as the recording goes on. Free means that the owner is dead; the kernel sees to that.
//
//   nothing there                  -> made, locked
//   locked                         -> somebody records there: NAME-<16 hex digits> is made instead
//   ours, not locked               -> left by the dead: renamed to NAME.dead-<16 hex digits>, for recovery;
//                                     an empty one is removed. Then made anew
//   a link, a file, another user's -> refused
//
// The descriptor is not inherited over exec. A forked child closes it (open_files.h), or the lock would outlive its
// owner. Where the file system knows no locks, a directory that exists is taken for locked and a fresh one is used
// without.
#pragma once

#include <string>

#include "base/kept_descriptor.h"
#include "base/private_directory.h"
#include "base/result.h"

namespace rec {

using base::Result;

class DirectoryLock {
 public:
  static Result<DirectoryLock> take(const std::string& wished);
  DirectoryLock() = default;
  DirectoryLock(DirectoryLock&&) = default;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock() { release(); }

  const std::string& path() const { return path_; }  // wished, or wished-<16 hex digits>
  int descriptor() const { return directory_.fd(); }
  bool holds() const;  // it is locked, and path() still names it
  void hold();         // locked again, if somebody closed the descriptor
  void release();

 private:
  DirectoryLock(base::KeptDescriptor directory, std::string path);
  bool is_new_and_ours(const base::Place& place) const;
  base::KeptDescriptor directory_;
  std::string path_;
};

}  // namespace rec
