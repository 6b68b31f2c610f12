// SPDX-License-Identifier: Apache-2.0
// TargetRoot is the file tree that a process sees, opened through /proc/PID/root. It may be another one than ours: a
// container has a mount namespace of its own, and its own /tmp.
//
// Whoever runs in that tree may have put anything there. So files are reached from descriptors of directories, no
// symbolic link is followed in the shared /tmp, and what we make has 64 random bits in its name and O_EXCL behind it.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/control/jvm_process.h"

namespace jrec {

class TargetRoot {
 public:
  // An error when we may not look: another user's process, or one that the kernel protects.
  static base::Result<TargetRoot> open(const JvmProcess& process);

  // Whether paths mean the same to the process and to us.
  bool is_ours() const { return ours_; }

  int root() const { return root_.fd(); }
  int tmp() const { return tmp_.fd(); }  // of /tmp

  // Whether an absolute path leads the process to the very file to which it leads us.
  bool has_same_file(const std::string& path) const;

 private:
  base::Descriptor root_;
  base::Descriptor tmp_;
  bool ours_ = false;
};

// "PREFIX" and 16 random hexadecimal digits. Empty when the system has no random bytes.
std::string random_name(const std::string& prefix);

// Gives a new file or directory to the user whom the process runs as. Does nothing unless we are root.
bool give_to(const JvmProcess& process, int fd);

}  // namespace jrec
