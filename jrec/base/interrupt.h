// SPDX-License-Identifier: Apache-2.0
// Ctrl-C ends jrec at once, with exit code 130 (kInterrupted) as a shell would say it, and leaves no half-written file, and
// nothing in the /tmp of a JVM that it speaks to.
//
//   OutputFile --> InTheMaking(path)     as long as the file has its temporary name
//   AnswerFile, Trigger, PrivateDirectory --> InTheMaking(path_in(fd, name))      as long as the JVM needs them
//   SIGINT, SIGTERM, SIGHUP              remove what is in the making, exit with 128 + the signal's number
//   SIGBUS                               the same, with exit code 2: somebody cut the recording that is being read
//
// Commands that have more to undo put handlers of their own in front for as long as they need them (view/top).
#pragma once

#include <cstddef>
#include <string>

namespace jrec {

// Once, at the start of the process.
void exit_when_interrupted();
// From now on Ctrl-C means another process, which has the terminal.
void leave_interrupts_to_others();
// Ends the process, and leaves nothing behind that is in the making.
[[noreturn]] void leave_with(int exit_code);

class InTheMaking {
 public:
  static constexpr size_t kMost = 8;  // at a time; more are left behind by a signal

  explicit InTheMaking(std::string path);  // of a file, or of a directory that is empty but for files in the making
  ~InTheMaking();
  InTheMaking(const InTheMaking&) = delete;
  InTheMaking& operator=(const InTheMaking&) = delete;

 private:
  const std::string path_;
  size_t place_ = kMost;
};

// A name in an open directory, by a path that means it for as long as that is open.
std::string path_in(int directory, const std::string& name);

}  // namespace jrec
