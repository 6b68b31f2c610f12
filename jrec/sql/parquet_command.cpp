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

#include "base/new_directory.h"
#include "jrec/base/escape.h"
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

class ParquetExport {
 public:
  ParquetExport(SqlWorld& world, const ParquetOptions& options, DuckEngine& engine, Output& out)
      : world_(world), options_(options), engine_(engine), out_(out) {}

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
    for (auto& table : make_event_tables(world_, [&](const std::string& name) { return is_wanted(name); }))
      if (!copy(std::move(table))) return status_;
    return status_;
  }

 private:
  bool is_wanted(const std::string& table) const {
    return std::ranges::any_of(options_.events,
                               [&](const std::string& type) { return event_table_name(type) == table; });
  }

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
  DuckEngine& engine_;
  Output& out_;
  Status status_ = base::Done{};
};

}  // namespace

ExitCode run_parquet(const ParquetOptions& options, Output& out) {
  const auto api = DuckApi::load(options.duckdb);
  if (!api) return export_refused("export", api.error());
  SqlWorld world;
  for (const std::string& input : options.inputs)
    if (!world.source.add(input)) return std::max(world.source.finish(), kUsageError);
  if (const Status made = base::make_directories(options.directory); !made)
    return export_refused(options.directory, made.error());
  std::error_code error;
  if (!std::filesystem::is_empty(options.directory, error))
    return export_refused(options.directory, Error{ErrorCode::kUsage, 0, "is not empty"});
  const std::string scratch = options.directory + "/.jrec-export.duckdb";  // what is larger than memory
  Status done = base::Done{};
  {
    auto engine = DuckEngine::open(*api, scratch);
    done = engine ? ParquetExport(world, options, *engine, out).run() : Status(engine.error());
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
  command.add_option("--events", options->events,
                     "event types to export beside the samples, such as jdk.GarbageCollection; again for more");
  command.add_option("--duckdb", options->duckdb, "DuckDB's library, libduckdb.so");
  command.add_flag("--quiet,-q", options->quiet, "do not list the tables");
}

}  // namespace jrec
