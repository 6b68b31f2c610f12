// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_schema.h"

#include <memory>
#include <vector>

#include "jrec/base/letter_case.h"
#include "jrec/sql/sql_tables.h"

namespace jrec {
namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Status;
using Tables = std::vector<std::unique_ptr<SqlTable>>;

constexpr std::string_view kTables = ".tables", kSchema = ".schema";

// ".schema  samples;" as "samples"
std::string word_behind(const std::string& query) {
  const size_t space = query.find_first_of(" \t\n");
  const size_t begin = space == std::string::npos ? space : query.find_first_not_of(" \t\n", space);
  if (begin == std::string::npos) return "";
  return query.substr(begin, query.find_last_not_of(" \t\n;") + 1 - begin);
}

std::string first_word(const std::string& query) { return query.substr(0, query.find_first_of(" \t\n;")); }

void tell_tables(const Tables& tables, const SqlSink& sink) {
  sink.columns({"table", "columns"});
  for (const auto& table : tables)
    if (!sink.row({Cell::of_text(table->name()), Cell::of(int64_t(table->columns().size()))})) return;
}

Status tell_columns(const Tables& tables, const std::string& asked, const SqlSink& sink) {
  bool any = false;
  for (const auto& table : tables) {
    if (!asked.empty() && !same_but_for_case(table->name(), asked)) continue;
    if (!any) sink.columns({"table", "column", "type"});
    any = true;
    for (const SqlColumn& column : table->columns())
      if (!sink.row({Cell::of_text(table->name()), Cell::of_text(column.name), Cell::of_text(column.type)}))
        return Done{};
  }
  return any ? Status(Done{}) : Error{ErrorCode::kUsage, 0, "no such table: " + asked};
}

}  // namespace

bool asks_for_schema(const std::string& query) { return query.starts_with('.'); }

Status tell_schema(SqlWorld& world, const std::string& query, const SqlSink& sink) {
  Tables tables = make_plain_tables(world);
  for (auto& table : make_event_tables(world, [](const std::string&) { return true; }))
    tables.push_back(std::move(table));
  const std::string word = first_word(query);
  if (word == kTables) return tell_tables(tables, sink), Done{};
  if (word == kSchema) return tell_columns(tables, word_behind(query), sink);
  return Error{ErrorCode::kUsage, 0, "there is no " + word + "; there are .tables and .schema TABLE"};
}

}  // namespace jrec
