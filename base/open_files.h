// SPDX-License-Identifier: Apache-2.0
// OpenFiles is a list of the descriptors that a forked child must not keep: with one of a locked file it would keep the
// lock after our death, and recovery would take us for alive. (Over exec none is inherited anyway.) Signal-safe.
//
// Invariant: a number in the list is a descriptor of ours, or was, until somebody closed it; the mark tells which
// (file_mark.h). So add() comes after open, and remove() before close; a fork in between leaks a descriptor into the
// child, and never takes one of the application's.
//
// A slot goes from hand to hand by exchanges of its number, each ordered with the system call beside it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "base/file_mark.h"

namespace base {

class OpenFiles {
 public:
  static void add(int fd, const FileMark& mark);  // more than fit: not listed, which costs no more than the leak
  static void remove(int fd);
  static void close_all();  // in the child

 private:
  static constexpr size_t kMost = 32;
  static constexpr int kTaken = -1;
  struct Slot {
    std::atomic<int> number{0};  // fd + 1; 0: free
    std::atomic<uint64_t> device{0}, inode{0};
  };
  static std::array<Slot, kMost> slots_;
};

}  // namespace base
