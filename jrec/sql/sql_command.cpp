// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>

#include "base/nearest.h"
#include "jrec/base/letter_case.h"
#include "jrec/sql/duckdb_engine.h"
#include "jrec/sql/sql_examples.h"
#include "jrec/sql/sql_output.h"
#include "jrec/sql/sql_schema.h"
#include "jrec/sql/sql_tables.h"
#include "jrec/sql/sqlite_engine.h"
#include "jrec/sql/time_index.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

ExitCode list_examples(Output& out) {
  for (const SqlExample& example : sql_examples())
    out.add(fmt::format("-- {}: {}\n{};\n\n", example.name, example.what, example.query));
  return kDone;
}

ExitCode query_refused(const std::string& why) {
  complain("sql", Error{ErrorCode::kUsage, 0, why});
  return kUsageError;
}

// Only event types that the query names become tables, since a JDK has some two hundred; all if it asks which there are.
std::vector<std::unique_ptr<SqlTable>> tables_of(SqlWorld& world, const std::string& query) {
  std::vector<std::unique_ptr<SqlTable>> tables = make_plain_tables(world);
  const std::string words = lower_case(query);
  const bool all = words.find("sqlite_") != std::string::npos || words.find("table_list") != std::string::npos;
  if (!all && words.find("events_") == std::string::npos) return tables;
  const auto named = [&](const std::string& table) {
    return all || words.find(lower_case(table)) != std::string::npos;
  };
  for (auto& table : make_event_tables(world, named)) tables.push_back(std::move(table));
  return tables;
}

// A name that there is, and which the query cannot reach, is no other word for itself.
std::string with_nearest(const std::string& what, const std::string& asked, std::vector<std::string> names,
                         const std::string& otherwise) {
  std::erase_if(names, [&](const std::string& name) { return same_but_for_case(name, asked); });
  const std::string near = base::nearest(asked, names);
  return what + "; " + (near.empty() ? otherwise : "did you mean " + near + "?");
}

std::vector<std::string> table_names(SqlWorld& world) {
  std::vector<std::string> names;
  for (const auto& table : make_plain_tables(world)) names.push_back(table->name());
  make_event_tables(world, [&](const std::string& table) { return names.push_back(table), false; });
  return names;
}

// Whether the name stands where one of a table does: a column may have it, too.
bool reads_table(const std::string& words, const std::string& table) {
  for (size_t at = words.find(table); at != std::string::npos; at = words.find(table, at + 1)) {
    const size_t end = at == 0 ? std::string::npos : words.find_last_not_of(" \t\r\n\"", at - 1);
    const std::string_view before = std::string_view(words).substr(0, end == std::string::npos ? 0 : end + 1);
    for (const std::string_view word : {"from", "join", ","})
      if (before.ends_with(word)) return true;
  }
  return false;
}

// Of the tables that the query reads.
std::vector<std::string> column_names(SqlWorld& world, const std::string& query) {
  std::vector<std::string> names;
  const std::string words = lower_case(query);
  for (const auto& table : tables_of(world, query))
    if (reads_table(words, lower_case(table->name())))
      for (const SqlColumn& column : table->columns()) names.push_back(column.name);
  return names;
}

// SQLite and .schema know of a table or a column only that it is not there.
std::string explained(const std::string& what, SqlWorld& world, const std::string& query) {
  static constexpr std::string_view kNoTable = "no such table: ", kNoColumn = "no such column: ";
  if (what.starts_with(kNoTable))
    return with_nearest(what, what.substr(kNoTable.size()), table_names(world), ".tables lists those that there are");
  if (!what.starts_with(kNoColumn)) return what;
  const std::string asked = what.substr(kNoColumn.size());
  return with_nearest(what, asked.substr(asked.rfind('.') + 1), column_names(world, query),
                      ".schema TABLE lists those that there are");
}

base::Status ask_sqlite(SqlWorld& world, const std::string& query, std::chrono::milliseconds limit,
                        const SqlSink& sink) {
  SqliteEngine engine;
  if (limit.count() != 0) engine.bound(Deadline(limit));
  for (auto& table : tables_of(world, query)) engine.add(with_time_index(std::move(table)));
  return engine.run(query, sink);
}

// DuckDB cannot read in place: what the query names is loaded.
base::Status ask_duckdb(SqlWorld& world, const std::string& query, const std::string& library, const SqlSink& sink) {
  const auto api = DuckApi::load(library);
  if (!api) return api.error();
  auto engine = DuckEngine::open(*api, "");
  if (!engine) return engine.error();
  const std::string words = lower_case(query);
  for (auto& table : tables_of(world, query))
    if (words.find(lower_case(table->name())) != std::string::npos)
      if (base::Status loaded = engine->load(*table); !loaded) return loaded;
  if (base::Status locked = engine->lock(); !locked) return locked;
  return engine->run(query, sink);
}

SqlFormat format_of(const SqlOptions& options) {
  if (options.json) return SqlFormat::kJson;
  if (options.csv) return SqlFormat::kCsv;
  return options.markdown ? SqlFormat::kMarkdown : SqlFormat::kTable;
}

ExitCode run_query(const SqlOptions& options, const std::vector<std::string>& inputs, const std::string& query,
                   Output& out) {
  SqlWorld world;
  for (const std::string& input : inputs)
    if (!world.source.add(input)) return std::max(world.source.finish(), kUsageError);
  SqlOutput rows(format_of(options), out);
  const SqlSink sink{[&](const auto& names) { rows.columns(names); }, [&](const auto& row) { return rows.row(row); }};
  const base::Status done = asks_for_schema(query)       ? tell_schema(world, query, sink)
                            : options.engine == "duckdb" ? ask_duckdb(world, query, options.duckdb, sink)
                                                         : ask_sqlite(world, query, options.limit, sink);
  done ? rows.finish() : rows.refused();
  const ExitCode code = world.source.finish();
  return done ? code : query_refused(explained(done.error().what, world, query));
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const SqlExample& example : sql_examples()) names.emplace_back(example.name);
  return names;
}

const SqlExample* find_example(const std::string& name) {
  const auto found = std::ranges::find(sql_examples(), name, &SqlExample::name);
  return found == sql_examples().end() ? nullptr : &*found;
}

}  // namespace

ExitCode run_sql(const SqlOptions& options, Output& out) {
  std::vector<std::string> inputs = options.words;
  std::string query;
  if (options.example) {
    if (options.example_name.empty() || inputs.empty()) return list_examples(out);
    const SqlExample* example = find_example(options.example_name);
    if (example == nullptr)
      return query_refused(with_nearest("there is no example " + options.example_name, options.example_name,
                                        example_names(), "--example alone lists them"));
    query = example->query;
  } else {
    if (inputs.size() < 2) return query_refused("expected recordings or archives, and a query behind them");
    query = std::move(inputs.back());
    inputs.pop_back();
  }
  return run_query(options, inputs, query, out);
}

void declare_sql(CommandList& commands) {
  const auto options = std::make_shared<SqlOptions>();
  Command sql = commands.add("sql", "Queries over recordings and archives",
                             [options](Output& out) { return run_sql(*options, out); });
  sql.add_option("WORDS", options->words,
                 "recordings and archives, and the query behind them; .tables and .schema TABLE tell what there is");
  sql.on_text(
         "--example,-x", [options](const std::string& name) { options->example = true, options->example_name = name; },
         "one of the ready queries, by its name; alone: list them")
      .words(0, 1);
  sql.add_option("--engine", options->engine,
                 "sqlite, which reads in place, or duckdb, which loads what the query names")
      .one_of({"sqlite", "duckdb"});
  sql.add_option("--duckdb", options->duckdb, "DuckDB's library, libduckdb.so");
  Option csv = sql.add_flag("--csv", options->csv, "comma-separated values");
  Option json = sql.add_flag("--json", options->json, "an object a line").excludes(csv);
  sql.add_flag("--markdown", options->markdown, "a table of Markdown, for pull requests and pages")
      .excludes(csv)
      .excludes(json);
}

}  // namespace jrec
