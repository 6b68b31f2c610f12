// SPDX-License-Identifier: Apache-2.0
// `jrec collapsed`: one line per distinct stack, `root;...;top weight`, as flamegraph.pl, speedscope and jfrconv have
// it.
//
// In a frame's name ';' becomes ',' and control characters are escaped, so that a line can always be taken apart again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct CollapsedOptions {
  std::vector<std::string> files;  // treated as one
  ProfileOptions profile;
};

ExitCode run_collapsed(const CollapsedOptions& options, Output& out);

// The lines of a tree, appended to the output.
void print_collapsed(const StackTree& tree, Output& out);

// The same, appended to a text. After each line `written` may take the text away.
void append_collapsed(const StackTree& tree, std::string& text, const std::function<void()>& written);

// One stack, `root;...;top`, without its weight.
void append_stack(const StackTree& tree, uint32_t node, std::string& out);

}  // namespace jrec
