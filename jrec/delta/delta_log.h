// SPDX-License-Identifier: Apache-2.0
// DeltaLog is what the log of a table of Delta Lake says, read commit by commit: which files the table has, and its columns. It is the
// part of the protocol (version 1 for readers, 2 for writers) that a table needs to which whole files are added, and from which they go:
//
//   TABLE/_delta_log/00000000000000000000.json    {"protocol":..} {"metaData":..} {"add":..} {"add":..} ..., a line each
//   TABLE/_delta_log/00000000000000000001.json    {"remove":..} {"add":..} ...
//
// Others may have written there: their commits are read as well. A file that they took out of the table stays out.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jrec/delta/delta_schema.h"

namespace jrec {

inline constexpr char kDeltaLogFolder[] = "_delta_log/";

// 00000000000000000012.json; nothing for other names.
std::string delta_commit_name(uint64_t version);
std::optional<uint64_t> delta_commit_version(std::string_view name);

class DeltaLog {
 public:
  // The commits from version 0 on, each once. kCorrupt: a line is no JSON, or a schema; kUsage: the table wants a writer that knows
  // more than this one.
  base::Status read(std::string_view commit);

  // All of it as one text, so that who has it needs no commits of before. resume() takes one in place of those: kCorrupt: it is none, or
  // cut off, and the log is as new.
  std::string snapshot() const;
  base::Status resume(std::string_view snapshot);

  uint64_t version() const { return version_; }                         // of the commit that comes next
  const std::optional<DeltaSchema>& schema() const { return schema_; }  // nothing: there was no commit
  const std::string& table_id() const { return table_id_; }
  const std::vector<std::string>& partition_columns() const { return partition_columns_; }
  // The table's metadata with that schema in place of its own, for a commit that says it anew; where there was a commit.
  std::string metadata(const DeltaSchema& schema) const;

  // Of the files that are there, those that should be in the table and are not; and of its files, those that are not there. Paths from
  // the table's folder, sorted. again: such that came back since somebody took them out.
  std::vector<std::string> missing(const std::vector<std::string>& there,
                                   const std::set<std::string>& again = {}) const;
  std::vector<std::string> vanished(const std::vector<std::string>& there) const;

 private:
  enum class State { kThere, kVanished, kTakenOut };  // kVanished: we said that it is not there any more

  base::Status read_metadata(const rapidjson::Value& metadata);
  static base::Status check_protocol(const rapidjson::Value& protocol);

  uint64_t version_ = 0;
  std::optional<DeltaSchema> schema_;
  std::string table_id_;
  std::vector<std::string> partition_columns_;
  std::string metadata_;  // in JSON
  std::map<std::string, State> files_;
};

}  // namespace jrec
