// SPDX-License-Identifier: Apache-2.0
// SqliteEngine answers queries with SQLite, over virtual tables (sqlite.org/vtab.html) that read in place: what SQLite
// knows of a row's recording, time, event and stack is handed to SqlTable::scan().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/base/deadline.h"
#include "jrec/sql/sql_table.h"

struct sqlite3;

namespace jrec {

class SqliteEngine {
 public:
  SqliteEngine();
  ~SqliteEngine();
  SqliteEngine(const SqliteEngine&) = delete;
  SqliteEngine& operator=(const SqliteEngine&) = delete;

  void add(std::unique_ptr<SqlTable> table);

  // For queries of strangers: none goes on behind the deadline, or makes a text of more than kLongestText.
  static constexpr int kLongestText = 16 << 20;
  void bound(const Deadline& deadline);

  // kUsage, with SQLite's words, when the query makes no sense. Only what reads is allowed.
  base::Status run(const std::string& query, const SqlSink& rows);

 private:
  sqlite3* database_ = nullptr;
  std::optional<Deadline> deadline_;
  std::vector<std::unique_ptr<SqlTable>> tables_;
};

}  // namespace jrec
