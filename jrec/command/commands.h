// SPDX-License-Identifier: Apache-2.0
// The command line: words in, exit code out.
#pragma once

namespace jrec {

// Runs `jrec ARGUMENTS`. Prints to standard output; complaints go to standard error, a line each.
int run(int argc, const char* const* argv);

}  // namespace jrec
