// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sqlite_engine.h"

#include <sqlite3.h>

#include <memory>
#include <span>

#include "format/reader/wire_string.h"
#include "jrec/base/append_format.h"
#include "jrec/sql/sqlite_functions.h"
#include "jrec/sql/sqlite_module.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Status;

namespace {

// Those that tell what there is.
bool tells(const char* pragma) {
  const std::string_view name = pragma;
  return name == "table_info" || name == "table_xinfo" || name == "table_list";
}

// Reading, functions and recursion: a query neither attaches files nor changes anything.
int allow(void*, int action, const char* name, const char*, const char*, const char*) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                     action == SQLITE_RECURSIVE || (action == SQLITE_PRAGMA && tells(name));
  return reads ? SQLITE_OK : SQLITE_DENY;
}

// As SQL writes it: X'00FF'.
std::string blob_text(std::span<const uint8_t> bytes) {
  std::string text = "X'";
  for (const uint8_t byte : bytes) append_format(text, "{:02X}", byte);
  return text + '\'';
}

// A query can make texts that are none: what is not UTF-8 becomes U+FFFD, as in strings of recordings.
std::string valid_text(std::span<const uint8_t> bytes) {
  std::string text;
  jfr::read::append_text({jfr::read::StringForm::kUtf8, bytes}, text);
  return text;
}

Cell cell_at(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return Cell::of(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return Cell::of_real(sqlite3_column_double(statement, column));
    case SQLITE_NULL: return {};
    default: break;
  }
  const auto* bytes = static_cast<const uint8_t*>(sqlite3_column_blob(statement, column));
  const std::span<const uint8_t> all(bytes, static_cast<size_t>(sqlite3_column_bytes(statement, column)));
  return Cell::of_text(sqlite3_column_type(statement, column) == SQLITE_BLOB ? blob_text(all) : valid_text(all));
}

Status run_statement(sqlite3* database, sqlite3_stmt* statement, const SqlSink& rows) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) names.emplace_back(sqlite3_column_name(statement, i));
  rows.columns(names);
  std::vector<Cell> row(names.size());
  int step = SQLITE_DONE;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    for (size_t i = 0; i < row.size(); ++i) row[i] = cell_at(statement, static_cast<int>(i));
    if (!rows.row(row)) return base::Done{};
  }
  if (step == SQLITE_INTERRUPT) return Error{ErrorCode::kUsage, 0, "the query takes longer than it may here"};
  if (step != SQLITE_DONE) return Error{ErrorCode::kUsage, 0, sqlite3_errmsg(database)};
  return base::Done{};
}

}  // namespace

SqliteEngine::SqliteEngine() {
  sqlite3_open_v2(":memory:", &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, nullptr);
  add_functions(database_);
  // SQLite makes these tables when they are first named, which the authorizer of run() would not allow.
  sqlite3_exec(database_, "select 1 from json_each('[]'), json_tree('[]')", nullptr, nullptr, nullptr);
}
SqliteEngine::~SqliteEngine() { sqlite3_close(database_); }

void SqliteEngine::add(std::unique_ptr<SqlTable> table) {
  // Made by name, so that sqlite_master has it; the authorizer of run() would not allow that.
  const std::string name = '"' + table->name() + '"', made = "create virtual table " + name + " using " + name;
  if (add_module(database_, *table)) sqlite3_exec(database_, made.c_str(), nullptr, nullptr, nullptr);
  tables_.push_back(std::move(table));
}

void SqliteEngine::bound(const Deadline& deadline) {
  constexpr int kSteps = 10'000;  // of SQLite's machine, between two looks at the clock
  deadline_ = deadline;
  sqlite3_progress_handler(
      database_, kSteps, [](void* until) { return static_cast<int>(static_cast<const Deadline*>(until)->over()); },
      &*deadline_);
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, kLongestText);
}

Status SqliteEngine::run(const std::string& query, const SqlSink& rows) {
  const char* rest = query.c_str();
  bool any = false;
  while (*rest != '\0') {
    sqlite3_stmt* prepared = nullptr;
    sqlite3_set_authorizer(database_, allow, nullptr);
    const int compiled = sqlite3_prepare_v2(database_, rest, -1, &prepared, &rest);
    if (compiled == SQLITE_AUTH) return Error{ErrorCode::kUsage, 0, "a query reads, and does nothing else"};
    if (compiled != SQLITE_OK) return Error{ErrorCode::kUsage, 0, sqlite3_errmsg(database_)};
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(prepared, sqlite3_finalize);
    if (prepared == nullptr) break;  // blanks and comments
    any = true;
    if (Status done = run_statement(database_, prepared, rows); !done) return done;
  }
  if (!any) return Error{ErrorCode::kUsage, 0, "the query is empty"};
  return base::Done{};
}

}  // namespace jrec
