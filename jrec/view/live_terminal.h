// SPDX-License-Identifier: Apache-2.0
// LiveTerminal shows one screen after the other, and waits in between.
//
// On a terminal each screen takes the place of the one before, on the alternate screen and without a cursor; the
// destructor brings back what was there. Elsewhere screens follow each other, with an empty line in between. SIGINT,
// SIGTERM and SIGHUP end a wait. One at a time: signals belong to the process.
#pragma once

#include <chrono>
#include <string>

#include "jrec/base/output.h"

namespace jrec {

class LiveTerminal {
 public:
  explicit LiveTerminal(Output& out);
  ~LiveTerminal();
  LiveTerminal(const LiveTerminal&) = delete;
  LiveTerminal& operator=(const LiveTerminal&) = delete;

  bool terminal() const { return terminal_; }
  size_t lines() const;  // of the terminal; 0: there is no such limit
  void show(const std::string& screen);
  // False when a signal came.
  bool wait(std::chrono::milliseconds time);
  int signal() const;  // that came; 0: none

 private:
  Output& out_;
  bool terminal_;
  bool shown_ = false;
  std::string last_;
};

}  // namespace jrec
