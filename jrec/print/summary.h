// SPDX-License-Identifier: Apache-2.0
// `jrec summary`: what a recording holds, by event type, and what it says it has lost.
//
// Counts and bytes per type equal those of `jfr summary`. Metadata and checkpoints count as jdk.Metadata and
// jdk.Checkpoint; events of types that the metadata does not name are counted under their number. Reads no constants.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

struct SummaryOptions {
  std::vector<std::string> files;  // treated as one
  bool json = false;
};

ExitCode run_summary(const SummaryOptions& options, Output& out);

}  // namespace jrec
