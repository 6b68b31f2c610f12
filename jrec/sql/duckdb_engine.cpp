// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/duckdb_engine.h"

#include <utility>

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Status;

Error duck_error(const char* what) { return Error{ErrorCode::kUsage, 0, what == nullptr ? "DuckDB failed" : what}; }

std::string in_double_quotes(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string create_statement(const SqlTable& table) {
  std::string sql = "CREATE TABLE " + in_double_quotes(table.name()) + "(";
  for (const SqlColumn& column : table.columns()) {
    const std::string type = column.type;
    sql += (sql.back() == '(' ? "" : ", ") + in_double_quotes(column.name) +
           (type == "INTEGER"    ? " BIGINT"
            : type == "UNSIGNED" ? " UBIGINT"
            : type == "HUGEINT"  ? " HUGEINT"
            : type == "REAL"     ? " DOUBLE"
                                 : " VARCHAR");
  }
  return sql + ")";
}

int append_cell(const DuckApi& api, DuckHandle appender, const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::kNull: return api.append_null(appender);
    case Cell::Kind::kInteger:
      if (cell.integer > INT64_MAX) return api.append_uint64(appender, static_cast<uint64_t>(cell.integer));
      return api.append_int64(appender, held_in_long(cell.integer));
    case Cell::Kind::kReal: return api.append_double(appender, cell.real);
    case Cell::Kind::kText: break;
  }
  return api.append_varchar(appender, cell.text.data(), cell.text.size());
}

// Sums and unsigned longs, which may be beyond a long, by their digits.
Whole whole_of(const std::string& digits) {
  Whole number = 0;
  for (const char c : digits)
    if (c != '-') number = number * 10 + (c - '0');
  return digits.starts_with('-') ? -number : number;
}

Cell duck_cell(const DuckApi& api, DuckResult& result, uint64_t column, uint64_t row) {
  if (api.value_is_null(&result, column, row)) return {};
  const int type = api.column_type(&result, column);
  if (type >= kDuckBoolean && type < kDuckUBigint) return Cell::of(api.value_int64(&result, column, row));
  if (type == kDuckFloat || type == kDuckDouble || type == kDuckDecimal)
    return Cell::of_real(api.value_double(&result, column, row));
  char* value = api.value_varchar(&result, column, row);
  const std::string text = value == nullptr ? "" : value;
  api.free(value);
  return type == kDuckUBigint || type == kDuckHugeint ? Cell::of(whole_of(text)) : Cell::of_text(text);
}

}  // namespace

base::Result<DuckEngine> DuckEngine::open(const DuckApi& api, const std::string& path) {
  DuckEngine engine(api);
  if (api.open(path.empty() ? nullptr : path.c_str(), &engine.database_) != 0)
    return duck_error("DuckDB cannot open its database");
  if (api.connect(engine.database_, &engine.connection_) != 0)
    return duck_error("DuckDB cannot connect to its database");
  return engine;
}

DuckEngine::DuckEngine(DuckEngine&& other) noexcept
    : api_(other.api_),
      database_(std::exchange(other.database_, nullptr)),
      connection_(std::exchange(other.connection_, nullptr)) {}

DuckEngine::~DuckEngine() {
  if (connection_ != nullptr) api_.disconnect(&connection_);
  if (database_ != nullptr) api_.close(&database_);
}

Status DuckEngine::lock() {
  for (const char* setting : {"SET enable_external_access = false", "SET lock_configuration = true"})
    if (Status set = run(setting); !set) return set;
  return base::Done{};
}

Status DuckEngine::load(SqlTable& table) {
  if (Status created = run(create_statement(table)); !created) return created;
  DuckHandle appender = nullptr;
  if (api_.appender_create(connection_, nullptr, table.name().c_str(), &appender) != 0)
    return duck_error(api_.appender_error(appender));
  Status status = base::Done{};
  const auto rows = table.scan({});
  while (status.ok() && rows->next()) {
    int failed = 0;
    for (size_t i = 0; i < table.columns().size(); ++i) failed |= append_cell(api_, appender, rows->column(i));
    if (failed != 0 || api_.appender_end_row(appender) != 0) status = duck_error(api_.appender_error(appender));
  }
  if (api_.appender_destroy(&appender) != 0 && status.ok()) status = duck_error("DuckDB cannot keep the table");
  return status;
}

Status DuckEngine::run(const std::string& query, const SqlSink& rows) {
  DuckResult result{};
  if (api_.query(connection_, query.c_str(), &result) != 0) {
    Status failed = duck_error(api_.result_error(&result));
    api_.destroy_result(&result);
    return failed;
  }
  const uint64_t columns = api_.column_count(&result), count = api_.row_count(&result);
  std::vector<std::string> names;
  for (uint64_t i = 0; i < columns; ++i) names.emplace_back(api_.column_name(&result, i));
  rows.columns(names);
  std::vector<Cell> row(columns);
  for (uint64_t r = 0; r < count; ++r) {
    for (uint64_t i = 0; i < columns; ++i) row[i] = duck_cell(api_, result, i, r);
    if (!rows.row(row)) break;
  }
  api_.destroy_result(&result);
  return base::Done{};
}

Status DuckEngine::run(const std::string& statement) {
  return run(statement, {[](const auto&) {}, [](const auto&) { return true; }});
}

}  // namespace jrec
