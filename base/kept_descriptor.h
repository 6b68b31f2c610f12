// SPDX-License-Identifier: Apache-2.0
// KeptDescriptor owns a descriptor that is kept for long in a process that is somebody else's. He may close it, by
// mistake or with all others, and have its number for a file of his own then. So before each burst of calls whoever
// keeps it asks is_own(), and a number that is not ours any more is forgotten and never closed.
//
// A forked child closes it (open_files.h). Not thread-safe; is_own() is signal-safe.
#pragma once

#include <string>

#include "base/file_mark.h"

namespace base {

class KeptDescriptor {
 public:
  KeptDescriptor() = default;
  explicit KeptDescriptor(int fd);  // -1 is none
  KeptDescriptor(KeptDescriptor&& other) noexcept;
  KeptDescriptor& operator=(KeptDescriptor&& other) noexcept;  // swaps
  ~KeptDescriptor() { reset(); }

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool is_own() const { return mark_.is_of(fd_); }
  bool is_at(const std::string& path) const { return mark_.is_at(path.c_str()); }  // the very file, by its mark
  // The same file again, by a name of it, once is_own() is false. False (errno): it is not there (ESTALE), or not to be had.
  bool open_again(const std::string& path, int flags);
  void reset();

 private:
  void hold(int fd);
  void forget();

  int fd_ = -1;
  FileMark mark_;
};

}  // namespace base
