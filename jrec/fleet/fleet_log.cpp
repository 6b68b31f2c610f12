// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_log.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "jrec/fleet/fleet_path.h"
#include "jrec/fleet/partition.h"
#include "jrec/parquet/parquet_tail.h"

namespace jrec {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr int kTries = 5;
constexpr uint64_t kKeepEach = 20;             // commits
constexpr uint64_t kLikelyFooter = 16 * 1024;  // bytes

int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()).time_since_epoch().count();
}

std::string random_uuid() {
  std::array<uint8_t, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) < 0) bytes.fill(0);
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | 0x40);  // version 4, as RFC 9562 has it
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
  return text;
}

}  // namespace

Status FleetLog::follow() {
  resume();
  if (const Status whole = check_log(); !whole) return whole;
  for (int i = 0; i < kTries; ++i) {
    if (const Status read = read_new_commits(); !read) return read;
    if (log_.schema() && log_.partition_columns() != partition_columns(table_))
      return Error{ErrorCode::kUsage, 0, "somebody has changed the table: it has other partitions"};
    const auto added = describe_missing();
    if (!added) return added.error();
    const auto vanished = this->vanished();
    if (!vanished) return vanished.error();
    const auto written = write(*added, *vanished);
    if (!written) return written.error();
    if (!*written) continue;
    keep();
    change_.version = log_.version() - 1;
    if (change_.added != 0 || change_.removed != 0) heard_.changed(change_);
    return Done{};
  }
  return Error{ErrorCode::kSystem, 0, "others write to the log of " + table_ + " all the time"};
}

Status FleetLog::check_log() const {
  const bool is_whole = files_.commits.empty() ? !files_.has_checkpoint : files_.commits.front() == 0;
  if (is_whole || kept_ != 0) return Done{};
  return Error{ErrorCode::kUsage, 0,
               "the beginning of its log is gone, and jrec reads no checkpoints: the table stays as it is"};
}

void FleetLog::resume() {
  const auto text = store_.text_of(kept_path());
  if (!text || !*text || !log_.resume(**text)) return;
  if (!is_of_this_log()) log_ = {};
  kept_ = log_.version();
}

// Somebody may have removed the log, and another one begun. Of the first commit of one that was shortened nobody knows.
bool FleetLog::is_of_this_log() {
  if (std::ranges::count(files_.commits, log_.version() - 1) == 0) return false;
  const auto first = store_.text_of(commit_path(0));
  if (!first) return false;
  DeltaLog there;
  return !*first || (there.read(**first).ok() && there.table_id() == log_.table_id());
}

// Where it cannot be kept, the next export reads more.
void FleetLog::keep() {
  if (log_.version() >= kept_ + kKeepEach) (void)store_.put(kept_path(), log_.snapshot()).ok();
}

Status FleetLog::read_new_commits() {
  for (;;) {
    const auto text = store_.text_of(commit_path(log_.version()));
    if (!text) return text.error();
    if (!*text) return Done{};
    if (const Status read = log_.read(**text); !read) return read;
  }
}

Result<FleetLog::New> FleetLog::describe_missing() {
  New added{{}, log_.schema().value_or(first_schema())};
  for (const std::string& path : log_.missing(files_.parquet, files_.published)) {
    if (recording_of_path(path).empty()) continue;
    auto file = describe(path);
    const auto grown = file ? added.schema.add(file->facts.columns) : Result<bool>(file.error());
    if (!grown && grown.error().code == ErrorCode::kSystem) return grown.error();
    if (!grown) {
      heard_.left_out(table_ + "/" + path, grown.error());
      continue;
    }
    added.grown = added.grown || *grown;
    added.files.push_back(std::move(*file));
  }
  return added;
}

// Others may have added some of theirs since files were listed.
Result<std::vector<std::string>> FleetLog::vanished() {
  std::vector<std::string> vanished;
  for (const std::string& path : log_.vanished(files_.parquet)) {
    const bool is_ours = !recording_of_path(path).empty();
    const auto there = is_ours ? Result<bool>(false) : store_.has_file(table_ + "/" + path);
    if (!there) return there.error();
    if (!*there) vanished.push_back(path);
  }
  return vanished;
}

Result<DeltaFile> FleetLog::describe(const std::string& path) {
  PathColumns partition = columns_of_path(path);
  if (!is_in_partition(partition, table_)) return Error{ErrorCode::kUsage, 0, "lies in no partition of this table"};
  const std::string name = table_ + "/" + path;
  auto end = store_.end_of(name, kLikelyFooter);
  if (!end) return end.error();
  const auto size = parquet_tail_size(end->bytes);
  if (!size) return size.error();
  if (*size > end->bytes.size() && *size <= end->file_size) end = store_.end_of(name, *size);
  if (!end) return end.error();
  auto facts = ParquetFacts::of(end->bytes);
  if (!facts) return facts.error();
  if (facts->said["rec.recording"] != recording_of_path(path) || hive_value(facts->said["rec.table"]) != table_)
    return Error{ErrorCode::kUsage, 0, "is not what its name says"};
  return DeltaFile{path, std::move(partition), end->file_size, std::move(*facts)};
}

DeltaSchema FleetLog::first_schema() const {
  std::vector<DeltaSchema::Partition> columns;
  for (const std::string& column : partition_columns(table_))
    columns.push_back({column, column == kDayColumn ? "date" : "string"});
  return DeltaSchema::of(columns);
}

Result<bool> FleetLog::write(const New& added, const std::vector<std::string>& vanished) {
  const bool is_new = !log_.schema();
  if (is_new && added.files.empty()) return true;
  DeltaCommit commit(now_ms());
  if (is_new)
    commit.make_table(random_uuid(), partition_columns(table_), added.schema);
  else if (added.grown)
    commit.change_table(log_.metadata(added.schema));
  for (const std::string& path : vanished) {
    commit.remove(path);
    ++in_commit_.removed;
    if (const auto put = put_if_full(commit); !put || !*put) return put;
  }
  for (const DeltaFile& file : added.files) {
    commit.add(file);
    ++in_commit_.added;
    if (const auto put = put_if_full(commit); !put || !*put) return put;
  }
  return commit.is_empty() ? Result<bool>(true) : put(commit);
}

Result<bool> FleetLog::put_if_full(DeltaCommit& commit) {
  if (!commit.is_full()) return true;
  const auto written = put(commit);
  if (written && *written) commit = DeltaCommit(now_ms());
  return written;
}

Result<bool> FleetLog::put(const DeltaCommit& commit) {
  if (const Status good = DeltaLog().read(commit.text()); !good)
    return good.error();  // else nobody could read the table
  const auto written = store_.put_new(commit_path(log_.version()), commit.text());
  const DeltaChange in_commit = std::exchange(in_commit_, {});
  if (!written || !*written) return written;
  if (const Status read = log_.read(commit.text()); !read) return read.error();
  change_.added += in_commit.added, change_.removed += in_commit.removed;
  return true;
}

}  // namespace jrec
