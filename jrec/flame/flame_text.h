// SPDX-License-Identifier: Apache-2.0
// `jrec flame --text`: the tree of samples as lines, for those who cannot look at a page.
//
//    total %   self %  frame
//      100.0      0.0  java.lang.Thread.run
//       62.1      0.4   app.Main.work
//       12.0     12.0    app.Main.sum
//        1.9              ... 14 more
//
// Children stand below their caller, a space further in, the heaviest first. What is thinner than the least share is one line.
#pragma once

#include <cstddef>
#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/flame/flame.h"

namespace jrec {

void append_tree_text(const StackTree& tree, double least_percent, size_t rows, std::string& out);

ExitCode run_flame_text(const FlameOptions& options, Output& out);

}  // namespace jrec
