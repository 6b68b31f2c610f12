// SPDX-License-Identifier: Apache-2.0
// jrec sql: queries over recordings and archives.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "jrec/base/command_list.h"

namespace jrec {

enum class SqlFormat { kTable, kCsv, kJson, kMarkdown };

struct SqlOptions {
  std::vector<std::string> words;  // inputs and, but for an example, a query
  bool example = false;
  std::string example_name;  // empty: list them
  bool csv = false, json = false, markdown = false;
  std::string engine = "sqlite";  // or duckdb, which loads the tables first
  std::string duckdb;             // its library
  // For queries of strangers (SqliteEngine::bound); zero: as long as it takes.
  std::chrono::milliseconds limit{0};
};

ExitCode run_sql(const SqlOptions& options, Output& out);

void declare_sql(CommandList& commands);

}  // namespace jrec
