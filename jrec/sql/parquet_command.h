// SPDX-License-Identifier: Apache-2.0
// jrec export: tables as files of other engines, made by DuckDB.
#pragma once

#include "jrec/base/command_list.h"

namespace jrec {

struct ParquetOptions {
  std::vector<std::string> inputs;
  std::string directory;            // made; must not hold files of an export
  std::vector<std::string> events;  // types that become tables, too
  std::string duckdb;               // its library
  bool quiet = false;
};

ExitCode run_parquet(const ParquetOptions& options, Output& out);

void declare_export(CommandList& commands);

}  // namespace jrec
