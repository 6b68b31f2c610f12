// SPDX-License-Identifier: Apache-2.0
// `jrec safepoints FILE`: which safepoints were reached late, who held them up, and where.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct SafepointsOptions {
  std::vector<std::string> files;  // treated as one
  size_t rows = 20;                // safepoints, and methods
  bool zing = false;               // in the layout of Azul's log
};

ExitCode run_safepoints(const SafepointsOptions& options, Output& out);
void declare_safepoints(CommandList& commands);

}  // namespace jrec
