// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_delta.h"

#include <map>
#include <utility>
#include <vector>

#include "jrec/fleet/fleet_log.h"
#include "jrec/fleet/fleet_path.h"

namespace jrec {
namespace {

using base::Done;
using base::ErrorCode;
using base::Result;
using base::Status;
using Names = std::vector<std::string>;

constexpr char kMark[] = "_rec/delta";

std::map<std::string, TableFiles> tables_of(const Names& names) {
  std::map<std::string, TableFiles> tables;
  for (const std::string& name : names) {
    const size_t slash = name.find('/');
    if (slash == std::string::npos) continue;
    const std::string table = name.substr(0, slash), file = name.substr(slash + 1);
    if (!file.starts_with(kDeltaLogFolder)) {
      if (file.ends_with(".parquet")) tables[table].parquet.push_back(file);
      continue;
    }
    const std::string entry = file.substr(std::char_traits<char>::length(kDeltaLogFolder));
    if (const auto version = delta_commit_version(entry)) tables[table].commits.push_back(*version);
    if (entry == "_last_checkpoint") tables[table].has_checkpoint = true;
  }
  return tables;
}

}  // namespace

Result<bool> keeps_delta(FleetStore& store) { return store.has_file(kMark); }

Status keep_delta(FleetStore& store) {
  const auto put = store.put_new(kMark, "1\n");
  return put ? Status(Done{}) : put.error();
}

Status follow_by_delta(FleetStore& store, const DeltaHeard& heard) {
  const auto names = store.all_names();
  if (!names) return names.error();
  std::map<std::string, TableFiles> tables = tables_of(*names);
  for (const std::string& path : store.published()) {
    const size_t slash = path.find('/');
    tables[path.substr(0, slash)].published.insert(path.substr(slash + 1));
  }
  for (const bool is_last : {false, true})
    for (auto& [name, files] : tables) {
      if ((name == kRecordings) != is_last) continue;
      const Status followed = FleetLog(store, name, std::move(files), heard).follow();
      if (followed.ok()) continue;
      if (followed.error().code == ErrorCode::kSystem) return followed;
      heard.left_out(name, followed.error());
    }
  return Done{};
}

}  // namespace jrec
