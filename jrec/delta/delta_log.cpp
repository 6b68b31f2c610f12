// SPDX-License-Identifier: Apache-2.0
#include "jrec/delta/delta_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "jrec/base/escape.h"
#include "jrec/delta/delta_commit.h"
#include "jrec/delta/json_member.h"

namespace jrec {
namespace {

using base::corrupt;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Status;

constexpr size_t kVersionDigits = 20;
constexpr std::string_view kCommitEnd = ".json";
constexpr int64_t kReaderVersion = 1, kWriterVersion = 2;

}  // namespace

std::string delta_commit_name(uint64_t version) { return fmt::format("{:020}{}", version, kCommitEnd); }

std::optional<uint64_t> delta_commit_version(std::string_view name) {
  uint64_t version = 0;
  if (name.size() != kVersionDigits + kCommitEnd.size() || !name.ends_with(kCommitEnd)) return std::nullopt;
  const char* const end = name.data() + kVersionDigits;
  const auto read = std::from_chars(name.data(), end, version);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return version;
}

Status DeltaLog::read(std::string_view commit) {
  bool is_ours = false;
  for (size_t at = 0; at < commit.size();) {
    const size_t end = std::min(commit.find('\n', at), commit.size());
    const std::string_view line = commit.substr(at, end - at);
    rapidjson::Document action;
    if (!line.empty() && !parse_json(line, action)) return corrupt(at, "has a line that is no action of a Delta log");
    at = end + 1;
    if (const auto* const info = member(action, "commitInfo"))
      is_ours = is_ours || text_member(*info, "engineInfo").value_or("").starts_with(kDeltaEngine);
    if (const auto* const protocol = member(action, "protocol"))
      if (const Status known = check_protocol(*protocol); !known) return known;
    if (const auto* const metadata = member(action, "metaData"))
      if (const Status read = read_metadata(*metadata); !read) return read;
    if (const auto* const file = member(action, "add"))
      files_[delta_path(text_member(*file, "path").value_or(""))] = State::kThere;
    if (const auto* const file = member(action, "remove"))
      files_[delta_path(text_member(*file, "path").value_or(""))] = is_ours ? State::kVanished : State::kTakenOut;
  }
  ++version_;
  return Done{};
}

Status DeltaLog::check_protocol(const rapidjson::Value& protocol) {
  if (long_member(protocol, "minReaderVersion").value_or(0) <= kReaderVersion &&
      long_member(protocol, "minWriterVersion").value_or(0) <= kWriterVersion)
    return Done{};
  return Error{
      ErrorCode::kUsage, 0,
      fmt::format("somebody has changed the table: it wants writers of version {} of the protocol, jrec has {}",
                  long_member(protocol, "minWriterVersion").value_or(0), kWriterVersion)};
}

Status DeltaLog::read_metadata(const rapidjson::Value& metadata) {
  auto schema = DeltaSchema::parse(text_member(metadata, "schemaString").value_or(""));
  if (!schema) return schema.error();
  const auto* const settings = member(metadata, "configuration");
  if (settings != nullptr && text_member(*settings, "delta.columnMapping.mode").value_or("none") != "none")
    return Error{ErrorCode::kUsage, 0, "somebody has changed the table: its columns are mapped to others"};
  schema_ = std::move(*schema);
  table_id_ = text_member(metadata, "id").value_or("");
  partition_columns_.clear();
  if (const auto* const columns = member(metadata, "partitionColumns"); columns != nullptr && columns->IsArray())
    for (const auto& column : columns->GetArray())
      partition_columns_.emplace_back(column.IsString() ? column.GetString() : "");
  metadata_ = json_text(metadata);
  return Done{};
}

std::string DeltaLog::metadata(const DeltaSchema& schema) const {
  rapidjson::Document metadata;
  parse_json(metadata_, metadata);
  const std::string text = schema.json();
  metadata["schemaString"].SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()),
                                     metadata.GetAllocator());
  return json_text(metadata);
}

// Lines as a commit has them, but that what others took out stands in front of the line that makes the rest ours; and one that says
// how many commits these are, which comes last.
std::string DeltaLog::snapshot() const {
  const auto append = [this](State state, const char* action, std::string& out) {
    for (const auto& [path, is] : files_) {
      if (is != state) continue;
      out += fmt::format("{{\"{}\":{{\"path\":", action);
      append_json_string(delta_uri(path), out);
      out += "}}\n";
    }
  };
  std::string text = "{\"metaData\":" + metadata_ + "}\n";
  append(State::kTakenOut, "remove", text);
  text += fmt::format("{{\"commitInfo\":{{\"engineInfo\":\"{}\"}}}}\n", kDeltaEngine);
  append(State::kVanished, "remove", text);
  append(State::kThere, "add", text);
  return text + fmt::format("{{\"commits\":{}}}\n", version_);
}

Status DeltaLog::resume(std::string_view snapshot) {
  *this = {};
  const size_t last = snapshot.size() < 2 ? std::string_view::npos : snapshot.rfind('\n', snapshot.size() - 2);
  rapidjson::Document end;
  if (last != std::string_view::npos) parse_json(snapshot.substr(last + 1), end);
  const auto commits = long_member(end, "commits");
  Status read = commits && *commits > 0 ? this->read(snapshot) : corrupt(0, "is no state of a Delta log");
  if (read.ok() && !schema_) read = corrupt(0, "is no state of a Delta log");
  if (!read) return *this = {}, read;
  version_ = static_cast<uint64_t>(*commits);
  return read;
}

std::vector<std::string> DeltaLog::missing(const std::vector<std::string>& there,
                                           const std::set<std::string>& again) const {
  std::vector<std::string> missing;
  for (const std::string& path : there) {
    const auto known = files_.find(path);
    if (known == files_.end() || known->second == State::kVanished ||
        (known->second == State::kTakenOut && again.contains(path)))
      missing.push_back(path);
  }
  std::ranges::sort(missing);
  return missing;
}

std::vector<std::string> DeltaLog::vanished(const std::vector<std::string>& there) const {
  const std::set<std::string_view> all(there.begin(), there.end());
  std::vector<std::string> vanished;
  for (const auto& [path, state] : files_)
    if (state == State::kThere && !all.contains(path)) vanished.push_back(path);
  return vanished;
}

}  // namespace jrec
