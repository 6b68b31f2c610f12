// SPDX-License-Identifier: Apache-2.0
// Runs a command of jrec and hears what it says, on standard output and on standard error, as texts.
//
//   command(out) --> Output on memory of a fixed size --> text, cut at kMostText
//                --> standard error, meanwhile        --> complaints
//
// Standard error belongs to the process: one at a time, and nobody else writes to it meanwhile. An exception of the standard
// library (no memory, a path that cannot be) is a complaint, too.
#pragma once

#include <functional>
#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

inline constexpr size_t kMostText = 256 * 1024;  // what an assistant can read at once, and more

struct HeardCommand {
  ExitCode code = kUsageError;
  std::string text;
  bool cut = false;  // there was more
  std::string complaints;
};

HeardCommand hear_command(const std::function<ExitCode(Output&)>& command);

}  // namespace jrec
