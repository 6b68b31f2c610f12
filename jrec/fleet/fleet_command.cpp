// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_command.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <set>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/base/plural.h"
#include "jrec/base/quiet.h"
#include "jrec/fleet/fleet_delta.h"
#include "jrec/fleet/fleet_recording.h"
#include "jrec/select/glob.h"
#include "jrec/select/known_events.h"
#include "jrec/sql/sql_tables.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using TableNames = std::set<std::string>;

ExitCode export_refused(const std::string& subject, const Error& error) {
  complain(subject, error);
  return error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

Result<SaidOfFleet> said_by(const FleetOptions& options) {
  SaidOfFleet said{options.service, options.host, {}};
  for (const std::string& label : options.labels) {
    const size_t equals = label.find('=');
    if (equals == 0 || equals == std::string::npos)
      return Error{ErrorCode::kUsage, 0, "a label is KEY=VALUE: " + plain(label)};
    said.labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return said;
}

// Tables of events, and which of them are asked for.
struct EventTables {
  EventTableNames names{{}};  // of all inputs: a table has the name in each
  TableNames asked;
};

// --events has names with * and ?, as elsewhere. Each must be one of some input.
Result<EventTables> event_tables_of(const FleetOptions& options) {
  EventTables tables;
  if (options.events.empty()) return tables;
  KnownEvents known;
  for (const std::string& input : options.inputs) {
    ChunkSource source;
    if (source.add(input)) source.each_metadata([&](const jfr::read::Metadata& metadata) { known.meet(metadata); });
  }
  const std::string patterns = joined(options.events, ",");
  if (const Status there = known.types("--events", patterns); !there) return there.error();
  const EventFilter wanted(patterns);
  tables.names = EventTableNames(known.type_names());
  for (const auto& [type, table] : tables.names.by_type())
    if (wanted.matches(type)) tables.asked.insert(table);
  return tables;
}

// A file is open for each day of each table.
void allow_many_files() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

class FleetExport {
 public:
  FleetExport(const FleetOptions& options, SaidOfFleet said, EventTables tables, FleetStore& store, Output& out)
      : options_(options),
        said_(std::move(said)),
        tables_(std::move(tables)),
        store_(store),
        there_(store_),
        out_(out) {}

  ExitCode run() {
    ExitCode worst = kDone;
    for (const std::string& input : options_.inputs) {
      const ExitCode code = add_input(input);
      if (code == kOutputFailed) return code;
      worst = std::max(worst, code);
    }
    return worst;
  }

 private:
  ExitCode add_input(const std::string& input) {
    SqlWorld world;
    if (!world.source.add(input)) return std::max(world.source.finish(), kUsageError);
    world.table_names = tables_.names;
    auto tables = make_event_tables(world, [this](const std::string& name) { return tables_.asked.contains(name); });
    tables.push_back(make_threads_table(world));
    for (uint32_t i = 0; i < world.source.recordings().size(); ++i) {
      if (world.source.recordings()[i].chunks == 0) continue;  // finish() tells
      const auto added = export_recording(world, i, said_, tables, store_, there_);
      if (!added) return export_refused(options_.directory, added.error());
      if (!quiet()) say(world.source.recordings()[i], *added);
      world.stacks = StackStore();
    }
    return world.source.finish();
  }

  void say(const SqlRecording& recording, const FleetResult& added) {
    if (added.was_there)
      out_.add(fmt::format("{} {}: is there already\n", added.id, plain(recording.name)));
    else
      out_.add(fmt::format("{} {}: {}, {}, service {}, host {}\n", added.id, plain(recording.name),
                           plural(added.samples, "sample"), plural(added.stacks, "new stack"), plain(added.service),
                           plain(added.host)));
  }

  const FleetOptions& options_;
  const SaidOfFleet said_;
  const EventTables tables_;
  FleetStore& store_;
  StacksThere there_;
  Output& out_;
};

// The logs of a data set that keeps them, or is to.
class FleetLogs {
 public:
  FleetLogs(const FleetOptions& options, FleetStore& store, Output& out)
      : options_(options), store_(store), out_(out) {}

  ExitCode follow() {
    if (options_.delta)
      if (const Status kept = keep_delta(store_); !kept) return export_refused(options_.directory, kept.error());
    const auto keeps = keeps_delta(store_);
    if (!keeps) return export_refused(options_.directory, keeps.error());
    if (!*keeps) return kDone;
    const Status followed =
        follow_by_delta(store_, {[this](const DeltaChange& change) { say(change); },
                                 [this](const std::string& what, const Error& why) { say_left_out(what, why); }});
    return followed.ok() ? code_ : export_refused(options_.directory, followed.error());
  }

 private:
  void say(const DeltaChange& change) {
    if (quiet()) return;
    const std::string gone = change.removed == 0 ? "" : fmt::format(", gone: {}", change.removed);
    out_.add(fmt::format("{}: version {}, new files: {}{}\n", plain(change.table), change.version, change.added, gone));
  }
  void say_left_out(const std::string& what, const Error& why) {
    complain(options_.directory + "/" + what, Error{why.code, why.offset, "is not in the Delta log: " + why.what, 0});
    code_ = kDamaged;
  }

  const FleetOptions& options_;
  FleetStore& store_;
  Output& out_;
  ExitCode code_ = kDone;
};

ExitCode export_to(FleetStore& store, const FleetOptions& options, SaidOfFleet said, EventTables tables, Output& out) {
  const ExitCode added = FleetExport(options, std::move(said), std::move(tables), store, out).run();
  if (added == kOutputFailed) return added;
  return std::max(added, FleetLogs(options, store, out).follow());
}

}  // namespace

ExitCode run_export(const FleetOptions& options, Output& out) {
  if (options.inputs.empty() && !options.delta)
    return export_refused("export", {ErrorCode::kUsage, 0, "which recordings? None is needed with --delta alone", 0});
  const auto said = said_by(options);
  if (!said) return export_refused("export", said.error());
  auto tables = event_tables_of(options);
  if (!tables) return export_refused("export", tables.error());
  allow_many_files();
  const auto store = FleetStore::open(options.directory, options.inputs.empty());
  if (!store) return export_refused(options.directory, store.error());
  return export_to(**store, options, *said, std::move(*tables), out);
}

void declare_export(CommandList& commands) {
  const auto options = std::make_shared<FleetOptions>();
  Command command =
      commands.add("export", "Adds recordings to a partitioned data set of Parquet files, for other engines",
                   [options](Output& out) { return run_export(*options, out); });
  command.add_option("INPUTS", options->inputs, "recordings and archives");
  command
      .add_option("--parquet", options->directory,
                  "directory of the data set, or s3://BUCKET/PREFIX: made, or added to")
      .required();
  command.add_option("--service", options->service, "whose recordings they are (default: as they tell)");
  command.add_option("--host", options->host, "where they were made (default: as they tell)");
  command.add_option("--label,-l", options->labels, "KEY=VALUE, for the table of recordings; again for more")
      .one_word();
  command
      .add_option("--events", options->events,
                  "event types to export beside the samples: names with * and ?, such as jdk.GC*; again for more")
      .one_word()
      .delimiter(',');
  command.add_flag("--delta", options->delta,
                   "keep a log of Delta Lake beside each table, now and with each export that comes");
  add_quiet(command, "do not list what was added");
}

}  // namespace jrec
