// SPDX-License-Identifier: Apache-2.0
// jrec symbolize: a recording, once more, in which functions of stripped libraries have the names that files with their symbols tell
// (symbol_files.h). Nothing else in it changes: events keep their bytes and order, constants too, but for the names.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct SymbolizeOptions {
  std::string file, out;
  std::vector<std::string> directories, symbol_files;
};

// kDamaged: the recording is, or one of the files with symbols. What could be read of both is in the output.
ExitCode run_symbolize(const SymbolizeOptions& options, Output& out);

void declare_symbolize(CommandList& commands);

}  // namespace jrec
