// SPDX-License-Identifier: Apache-2.0
// `jrec print --json`: the events of a recording as one JSON document, an event per line. Within a chunk they come in
// the order of their end, as `jfr print` gives them.
#pragma once

#include <cstdint>
#include <string>

#include "jrec/exit_code.h"
#include "jrec/output.h"

namespace jrec {

struct PrintOptions {
  std::string file;
  std::string events;  // patterns, see glob.h; empty: all
  bool json = false;
  uint32_t stack_depth = 2048;  // frames that are shown of each stack
};

ExitCode run_print(const PrintOptions& options, Output& out);

}  // namespace jrec
