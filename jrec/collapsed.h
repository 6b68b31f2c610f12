// SPDX-License-Identifier: Apache-2.0
// `jrec collapsed`: one line per distinct stack, `root;...;top weight`, as flamegraph.pl, speedscope and jfrconv have
// it.
//
// In a frame's name ';' becomes ',' and control characters are escaped, so that a line can always be taken apart again.
#pragma once

#include <string>

#include "jrec/exit_code.h"
#include "jrec/output.h"
#include "jrec/profile.h"

namespace jrec {

struct CollapsedOptions {
  std::string file;
  ProfileOptions profile;
};

ExitCode run_collapsed(const CollapsedOptions& options, Output& out);

// The lines of a tree, appended to the output.
void print_collapsed(const StackTree& tree, Output& out);

}  // namespace jrec
