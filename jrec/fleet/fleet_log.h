// SPDX-License-Identifier: Apache-2.0
// FleetLog brings the Delta log of one table of a data set up to date (fleet_delta.h):
//
//   commits that are there --DeltaLog--> files that are new, files that have gone --DeltaCommit--> the next commits
//
// Somebody else may commit meanwhile: that is read, and the rest tried again. What the log says is kept in _rec/logs/TABLE now and then, so
// that the next export need not read all commits.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/delta/delta_commit.h"
#include "jrec/delta/delta_log.h"
#include "jrec/fleet/fleet_delta.h"
#include "jrec/fleet/fleet_store.h"

namespace jrec {

// What a table has, by names from its folder.
struct TableFiles {
  std::vector<std::string> parquet;
  std::set<std::string> published;  // of these, by this export
  std::vector<uint64_t> commits;    // versions in its log, ascending
  bool has_checkpoint = false;
};

class FleetLog {
 public:
  // heard: outlives it.
  FleetLog(FleetStore& store, std::string table, TableFiles files, const DeltaHeard& heard)
      : store_(store), table_(std::move(table)), files_(std::move(files)), heard_(heard) {}

  // Once. kSystem: what failed is the disk's or the store's; else the table's log cannot be gone on with, and is as it was.
  base::Status follow();

 private:
  struct New {
    std::vector<DeltaFile> files;
    DeltaSchema schema;  // with their columns
    bool grown = false;  // by these
  };

  std::string commit_path(uint64_t version) const {
    return table_ + "/" + kDeltaLogFolder + delta_commit_name(version);
  }
  std::string kept_path() const { return "_rec/logs/" + table_; }
  base::Status check_log() const;
  void resume();
  bool is_of_this_log();
  void keep();
  base::Status read_new_commits();
  base::Result<New> describe_missing();
  base::Result<std::vector<std::string>> vanished();
  base::Result<DeltaFile> describe(const std::string& path);
  DeltaSchema first_schema() const;
  // False: another commit is there.
  base::Result<bool> write(const New& added, const std::vector<std::string>& vanished);
  base::Result<bool> put_if_full(DeltaCommit& commit);
  base::Result<bool> put(const DeltaCommit& commit);

  FleetStore& store_;
  const std::string table_;
  const TableFiles files_;
  const DeltaHeard& heard_;
  DeltaLog log_;
  uint64_t kept_ = 0;  // commits that need not be read again
  DeltaChange change_{table_}, in_commit_;
};

}  // namespace jrec
