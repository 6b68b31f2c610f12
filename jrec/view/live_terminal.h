// SPDX-License-Identifier: Apache-2.0
// LiveTerminal shows one screen after the other, and waits in between.
//
// On a terminal each screen takes the place of the one before, on the alternate screen and without a cursor; the
// destructor brings back what was there. Elsewhere screens follow each other, with an empty line in between. SIGINT,
// SIGTERM and SIGHUP end a wait, and so does a key, where standard input is a terminal, too: keys come as they are
// pressed, and are not shown. One at a time: signals belong to the process.
#pragma once

#include <termios.h>

#include <chrono>
#include <optional>
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
  bool has_keys() const { return as_it_was_.has_value(); }
  size_t lines() const;  // of the terminal; 0: there is no such limit
  void show(const std::string& screen);
  enum class Woken { kByTime, kByKey, kBySignal };
  Woken wait(std::chrono::milliseconds time);
  char key() const { return key_; }  // that was pressed last
  int signal() const;                // that came; 0: none

 private:
  void take_keys();
  bool key_came();

  Output& out_;
  bool terminal_;
  bool shown_ = false;
  char key_ = 0;
  std::optional<termios> as_it_was_;  // of standard input
  std::string last_;
};

}  // namespace jrec
