// SPDX-License-Identifier: Apache-2.0
// `jrec open`: the page of `jrec report`, served to a browser of this machine from memory, for as long as the command runs.
#pragma once

#include <cstdint>

#include "jrec/base/command_list.h"
#include "jrec/report/report.h"

namespace jrec {

struct OpenOptions {
  ReportOptions report;   // `files` may be directories and processes, too; no `out`
  uint32_t port = 0;      // 0: one that is free
  uint32_t follow_s = 0;  // the page looks for another one by itself; 0: when it is reloaded
  bool no_browser = false;
};

// Returns only if there is nothing to show: Ctrl-C ends the process.
ExitCode run_open(const OpenOptions& options, Output& out);
void declare_open(CommandList& commands);

}  // namespace jrec
