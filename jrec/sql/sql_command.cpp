// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "jrec/nearest.h"
#include "jrec/sql/sql_examples.h"
#include "jrec/sql/sql_output.h"
#include "jrec/sql/sql_tables.h"
#include "jrec/sql/sqlite_engine.h"

namespace jrec {
namespace {

using jfr::Error;
using jfr::ErrorCode;

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

// Only tables whose name the query has are made: a JDK has some two hundred event types.
void add_tables(SqlWorld& world, const std::string& query, SqliteEngine& engine) {
  engine.add(make_recordings_table(world));
  engine.add(make_chunks_table(world));
  engine.add(make_event_types_table(world));
  engine.add(make_samples_table(world));
  engine.add(make_stacks_table(world));
  engine.add(make_frames_table(world));
  engine.add(make_threads_table(world));
  const std::string words = lower_case(query);
  if (words.find("events_") == std::string::npos) return;
  const auto named = [&](const std::string& table) { return words.find(lower_case(table)) != std::string::npos; };
  for (auto& table : make_event_tables(world, named)) engine.add(std::move(table));
}

// SQLite knows of a table only that it is not there.
std::string explained(const std::string& what, SqlWorld& world) {
  static constexpr std::string_view kMissing = "no such table: events_";
  if (!what.starts_with(kMissing)) return what;
  const std::string asked = what.substr(std::string_view("no such table: ").size());
  std::vector<std::string> names;
  make_event_tables(world, [&](const std::string& table) { return names.push_back(table), false; });
  const std::string near = nearest(asked, names);
  return what + (near.empty() ? "; event_types has those that there are" : "; did you mean " + near + "?");
}

ExitCode run_query(const std::vector<std::string>& inputs, const std::string& query, SqlFormat format, Output& out) {
  SqlWorld world;
  for (const std::string& input : inputs)
    if (!world.source.add(input)) return std::max(world.source.finish(), kUsageError);
  SqliteEngine engine;
  add_tables(world, query, engine);
  SqlOutput rows(format, out);
  const jfr::Status done = engine.run(query, {[&](const auto& names) { rows.columns(names); }, [&](const auto& row) { return rows.row(row); }});
  rows.finish();
  const ExitCode code = world.source.finish();
  return done ? code : query_refused(explained(done.error().what, world));
}

const SqlExample* find_example(const std::string& name) {
  const auto found = std::ranges::find(sql_examples(), name, &SqlExample::name);
  return found == sql_examples().end() ? nullptr : &*found;
}

}  // namespace

ExitCode run_sql(const SqlOptions& options, Output& out) {
  const SqlFormat format = options.json ? SqlFormat::kJson : options.csv ? SqlFormat::kCsv : SqlFormat::kTable;
  std::vector<std::string> inputs = options.words;
  std::string query;
  if (options.example) {
    if (options.example_name.empty() || inputs.empty()) return list_examples(out);
    const SqlExample* example = find_example(options.example_name);
    if (example == nullptr) return query_refused("there is no example " + options.example_name + "; --example alone lists them");
    query = example->query;
  } else {
    if (inputs.size() < 2) return query_refused("expected recordings or archives, and a query behind them");
    query = std::move(inputs.back());
    inputs.pop_back();
  }
  return run_query(inputs, query, format, out);
}

void declare_sql(CommandList& commands) {
  const auto options = std::make_shared<SqlOptions>();
  CLI::App& sql = commands.add("sql", "Queries over recordings and archives", [options](Output& out) { return run_sql(*options, out); });
  sql.add_option("WORDS", options->words, "recordings and archives, and the query behind them")->required(false);
  sql.add_option_function<std::string>(
         "--example,-x", [options](const std::string& name) { options->example = true, options->example_name = name; },
         "one of the ready queries, by its name; alone: list them")
      ->expected(0, 1);
  sql.add_flag("--csv", options->csv, "comma-separated values");
  sql.add_flag("--json", options->json, "an object a line");
}

}  // namespace jrec
