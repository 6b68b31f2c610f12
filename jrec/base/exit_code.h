// SPDX-License-Identifier: Apache-2.0
// What jrec's exit tells a script. docs/jrec.md promises these numbers.
#pragma once

namespace jrec {

enum ExitCode {
  kDone = 0,
  kUsageError = 1,       // the command line makes no sense, or the file cannot be opened
  kDamaged = 2,          // part of the input is damaged; the good rest was printed
  kNothingReadable = 3,  // the input is no recording that we can read
  kOutputFailed = 4,     // what was printed is not complete: disk full, pipe closed, no memory
  kNotAttached = 5,      // the JVM cannot be reached, or refused: no permission, no answer, a wrong option of the agent
  kFound = 6,            // findings --fail-on: there is such a finding; diff --fail-if: it is so
  kInterrupted = 130,    // by Ctrl-C, or another signal that asks to end
};

}  // namespace jrec
