// SPDX-License-Identifier: Apache-2.0
// Pager shows what is longer than the screen, a page at a time, as git does.
//
//   $JREC_PAGER, or else $PAGER, or else less    a command of the shell; empty, "cat" or not to be found: none
//   $LESS, if it is not set                      FRX: less ends with the text, shows colours, and leaves it to be read
//
// While it runs Ctrl-C is the pager's. Whoever leaves it early closes the pipe: the next write fails with EPIPE.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace jrec {

class Pager {
 public:
  Pager() = default;
  ~Pager() { wait(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // False when there is none; nothing has changed then. At most once.
  bool start();
  bool runs() const { return fd_ >= 0; }
  int fd() const { return fd_; }  // of its input
  // Until the reader has left.
  void wait();

 private:
  int fd_ = -1;
  pid_t child_ = -1;
};

// How many lines of a terminal the text takes; words of colour take no room.
size_t lines_taken(std::string_view text, size_t columns);

}  // namespace jrec
