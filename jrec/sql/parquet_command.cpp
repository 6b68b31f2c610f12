// SPDX-License-Identifier: Apache-2.0
// DIR/samples/service=shop/day=2026-11-22/*.parquet     sorted by time
// DIR/recordings.parquet, threads.parquet, stacks.parquet, frames.parquet, events_TYPE.parquet
#include "jrec/sql/parquet_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "base/new_directory.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/select/glob.h"
#include "jrec/select/known_events.h"
#include "jrec/sql/duckdb_engine.h"
#include "jrec/sql/sql_tables.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Status;

constexpr std::string_view kMemory = "SET memory_limit = '1GB'";  // what is more is in files

ExitCode export_refused(const std::string& subject, const Error& error) {
  complain(subject, error);
  return error.code == ErrorCode::kSystem ? kOutputFailed : kUsageError;
}

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

using TableNames = std::set<std::string>;

// The tables of the types that are asked for: names with * and ?, as --events has them elsewhere. Each must be one.
base::Result<TableNames> event_tables_of(SqlWorld& world, const std::vector<std::string>& events) {
  TableNames tables;
  if (events.empty()) return tables;
  KnownEvents known;
  world.source.each_metadata([&](const jfr::read::Metadata& metadata) { known.meet(metadata); });
  const std::string patterns = joined(events, ",");
  if (const Status there = known.types("--events", patterns); !there) return there.error();
  const EventFilter wanted(patterns);
  for (const std::string& type : known.type_names())
    if (wanted.matches(type)) tables.insert(event_table_name(type));
  return tables;
}

class ParquetExport {
 public:
  ParquetExport(SqlWorld& world, const ParquetOptions& options, const TableNames& event_tables, DuckEngine& engine,
                Output& out)
      : world_(world), options_(options), event_tables_(event_tables), engine_(engine), out_(out) {}

  Status run() {
    for (const std::string& setting :
         {std::string(kMemory), "SET temp_directory = " + in_quotes(options_.directory + "/.jrec-export.tmp")})
      if (!(status_ = engine_.run(setting))) return status_;
    const auto copy = [&](std::unique_ptr<SqlTable> table) { return load(*table) ? write(table->name()) : status_; };
    if (!load(*make_recordings_table(world_)) || !load(*make_samples_table(world_))) return status_;
    if (!write("recordings") || !write_samples()) return status_;
    // Behind the samples: their stacks are known by then.
    for (auto make : {make_threads_table, make_stacks_table, make_frames_table})
      if (!copy(make(world_))) return status_;
    for (auto& table : make_event_tables(world_, [&](const std::string& name) { return event_tables_.contains(name); }))
      if (!copy(std::move(table))) return status_;
    return status_;
  }

 private:
  bool load(SqlTable& table) {
    status_ = engine_.load(table);
    return status_.ok();
  }

  Status write(const std::string& table) {
    status_ = engine_.run(fmt::format("COPY \"{}\" TO {} (FORMAT parquet, COMPRESSION zstd)", table,
                                      in_quotes(options_.directory + "/" + table + ".parquet")));
    if (status_.ok() && !options_.quiet) say(table);
    return status_;
  }

  bool write_samples() {
    status_ =
        engine_.run(fmt::format("COPY (SELECT s.*, coalesce(r.service, 'none') AS service, "
                                "strftime(make_timestamp(s.time_ns // 1000), '%Y-%m-%d') AS day "
                                "FROM samples s JOIN recordings r USING (recording) ORDER BY service, day, s.time_ns) "
                                "TO {} (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (service, day))",
                                in_quotes(options_.directory + "/samples")));
    if (status_.ok() && !options_.quiet) say("samples");
    return status_.ok();
  }

  void say(const std::string& table) {
    const Status counted = engine_.run("SELECT count(*) FROM \"" + table + "\"",
                                       {[](const auto&) {},
                                        [&](const std::vector<Cell>& row) {
                                          out_.add(fmt::format("{:>12} {}\n", row[0].integer, table));
                                          return true;
                                        }});
    if (!counted) status_ = counted;
  }

  SqlWorld& world_;
  const ParquetOptions& options_;
  const TableNames& event_tables_;
  DuckEngine& engine_;
  Output& out_;
  Status status_ = base::Done{};
};

}  // namespace

ExitCode run_parquet(const ParquetOptions& options, Output& out) {
  if (const Status local = check_local(options.directory); !local)
    return export_refused(options.directory, local.error());
  const auto api = DuckApi::load(options.duckdb);
  if (!api) return export_refused("export", api.error());
  SqlWorld world;
  for (const std::string& input : options.inputs)
    if (!world.source.add(input)) return std::max(world.source.finish(), kUsageError);
  const auto event_tables = event_tables_of(world, options.events);
  if (!event_tables) return export_refused("export", event_tables.error());
  if (const Status made = base::make_directories(options.directory); !made)
    return export_refused(options.directory, made.error());
  std::error_code error;
  if (!std::filesystem::is_empty(options.directory, error))
    return export_refused(options.directory, Error{ErrorCode::kUsage, 0, "is not empty"});
  const std::string scratch = options.directory + "/.jrec-export.duckdb";  // what is larger than memory
  Status done = base::Done{};
  {
    auto engine = DuckEngine::open(*api, scratch);
    done = engine ? ParquetExport(world, options, *event_tables, *engine, out).run() : Status(engine.error());
  }
  std::filesystem::remove(scratch, error);
  std::filesystem::remove(scratch + ".wal", error);
  std::filesystem::remove_all(options.directory + "/.jrec-export.tmp", error);
  const ExitCode code = world.source.finish();
  return done ? code : export_refused(options.directory, done.error());
}

void declare_export(CommandList& commands) {
  const auto options = std::make_shared<ParquetOptions>();
  Command command = commands.add("export", "Tables for other engines: a partitioned data set of Parquet files",
                                 [options](Output& out) { return run_parquet(*options, out); });
  command.add_option("INPUTS", options->inputs, "recordings and archives").required();
  command.add_option("--parquet", options->directory, "directory to make, by DuckDB's library").required();
  command
      .add_option("--events", options->events,
                  "event types to export beside the samples: names with * and ?, such as jdk.GC*; again for more")
      .one_word()
      .delimiter(',');
  command.add_option("--duckdb", options->duckdb, "DuckDB's library, libduckdb.so");
  command.add_flag("--quiet,-q", options->quiet, "do not list the tables");
}

}  // namespace jrec
