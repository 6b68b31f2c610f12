// SPDX-License-Identifier: Apache-2.0
// jrec export: recordings into a data set of Parquet files that grows, for engines that ask a fleet. docs/fleet.md says what
// is in it.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_list.h"

namespace jrec {

struct FleetOptions {
  std::vector<std::string> inputs;
  std::string directory;            // is made, or holds a data set
  std::vector<std::string> events;  // types that become tables, too
  std::string service, host;        // fleet_identity.h
  std::vector<std::string> labels;  // KEY=VALUE
  bool delta = false;               // its tables have logs from now on (fleet_delta.h)
};

// Each recording is added whole or not at all, and one that is there already is not added again. One that cannot be read
// stops no other.
ExitCode run_export(const FleetOptions& options, Output& out);

void declare_export(CommandList& commands);

}  // namespace jrec
