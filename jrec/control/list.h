// SPDX-License-Identifier: Apache-2.0
// `jrec list`: the running JVMs, a line each: pid, user, uptime, version, whether the agent is loaded, main class or
// jar.
//
// Arguments of the programs are not shown: they may hold secrets. What may not be read is - or ?, in JSON null.
#pragma once

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct ListOptions {
  bool json = false;
};

ExitCode run_list(const ListOptions& options, Output& out);

}  // namespace jrec
