// SPDX-License-Identifier: Apache-2.0
// DuckEngine answers queries with DuckDB: tables are loaded when they are first needed, into memory or a file.
#pragma once

#include <string>

#include "jrec/sql/duckdb_api.h"
#include "jrec/sql/sql_table.h"

namespace jrec {

class DuckEngine {
 public:
  // path: of a database to be made; empty: in memory.
  static base::Result<DuckEngine> open(const DuckApi& api, const std::string& path);
  ~DuckEngine();
  DuckEngine(DuckEngine&& other) noexcept;
  DuckEngine& operator=(DuckEngine&&) = delete;

  // From now on no statement reads or writes a file, loads code or changes that: what people type should only read.
  base::Status lock();

  // All of its rows. kUsage and kSystem with DuckDB's words, as below.
  base::Status load(SqlTable& table);
  base::Status run(const std::string& query, const SqlSink& rows);
  base::Status run(const std::string& statement);

 private:
  explicit DuckEngine(const DuckApi& api) : api_(api) {}

  DuckApi api_;
  DuckHandle database_ = nullptr, connection_ = nullptr;
};

}  // namespace jrec
