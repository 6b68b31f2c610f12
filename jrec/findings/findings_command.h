// SPDX-License-Identifier: Apache-2.0
// `jrec findings FILE...`: what rules find in recordings, in words (find.h).
//
// With --fail-on the exit code is 6 (kFound) when a recording has such a finding, or a worse one. Damage, which is told as
// everywhere, goes before it: what is missing of a file may be what a rule would have found.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/findings/find.h"

namespace jrec {

struct FindingsOptions {
  std::vector<std::string> files;
  std::vector<std::string> rules;  // NAME=THRESHOLD
  FilterOptions filter;            // from, to
  bool list = false, json = false, markdown = false;
  std::string fail_on;  // a word of severity; empty: findings do not change the exit code
  size_t width = 0;     // 0: the terminal's
};

ExitCode run_findings(const FindingsOptions& options, Output& out);
void declare_findings(CommandList& commands);

}  // namespace jrec
