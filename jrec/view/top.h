// SPDX-License-Identifier: Apache-2.0
// `jrec top RECORDING`: what a running program does now, out of the recording that it writes.
//
// Every --delay seconds what is new is read (live_recording.h) and shown: samples, threads, the hottest methods of this
// window and since the beginning, losses. It ends when the recording is gone (0), after --iterations (0), when the
// output is closed (4), or by a signal (128 and its number: Ctrl-C is 130). On a terminal keys change what is shown
// (top_keys.h). Nothing is attached to the program.
#pragma once

#include <cstddef>
#include <string>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct TopOptions {
  std::string target;
  double delay_s = 1;
  size_t iterations = 0;  // 0: until it ends
  size_t rows = 20;       // methods
  size_t threads = 5;
  size_t width = 0;  // 0: the terminal's
};

ExitCode run_top(const TopOptions& options, Output& out);
void declare_top(CommandList& commands);

}  // namespace jrec
