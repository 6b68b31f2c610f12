// SPDX-License-Identifier: Apache-2.0
// OpenFiles is a list of the descriptors that a forked child must not keep: with one of a locked file it would keep the
// lock after our death, and recovery would take us for alive. (Over exec none is inherited anyway.) Signal-safe.
//
// Invariant: a number in the list is a descriptor of ours. So add() comes after open, and remove() before close; a fork
// in between leaks a descriptor into the child, and never takes one of the application's.
//
// Nothing but the number goes from hand to hand; the exchanges of a slot are ordered among themselves, and each with
// the system call beside it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace base {

class OpenFiles {
 public:
  static void add(int fd);  // more than fit: not listed, which costs no more than the leak
  static void remove(int fd);
  static void close_all();  // in the child

 private:
  static constexpr size_t kMost = 32;
  static std::array<std::atomic<int>, kMost> numbers_;  // fd + 1; 0: free
};

}  // namespace base
