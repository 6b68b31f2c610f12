// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_append.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "jrec/fleet/fleet_folder.h"
#include "jrec/fleet/partition.h"

namespace jrec {

using base::Descriptor;
using base::Result;
using base::Status;
using base::system_error;
namespace fs = std::filesystem;

Status FleetFile::finish() {
  Status written = writer_.finish();
  if (written.ok() && ::fdatasync(fd_.fd()) != 0) written = system_error("cannot write");
  fd_.reset();
  return written;
}

FleetAppend::FleetAppend(FleetStore& store, std::string id)
    : store_(store), id_(std::move(id)), staging_(store.in_the_making(id_)) {}

FleetAppend::~FleetAppend() {
  if (kept_) return;
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

Result<std::unique_ptr<FleetFile>> FleetAppend::begin(const std::string& table, const std::string& partition,
                                                      const ParquetColumns& columns) {
  if (targets_.empty())
    if (const Status made = make_folder(staging_); !made) return made.error();
  const std::string path = staging_ + "/" + std::to_string(targets_.size());
  Descriptor file = open_new(path);
  if (!file) return system_error("cannot make " + path);
  targets_.push_back(free_target(hive_value(table) + "/" + partition + "/" + id_));
  return std::make_unique<FleetFile>(
      std::move(file), columns,
      ParquetWriter::Facts{{"rec.schema", std::to_string(kFleetSchema)}, {"rec.table", table}, {"rec.recording", id_}});
}

// Two event types may have one table: what is no letter of theirs is an underscore.
std::string FleetAppend::free_target(const std::string& wanted) const {
  std::string target = wanted + ".parquet";
  for (int more = 2; std::ranges::find(targets_, target) != targets_.end(); ++more)
    target = wanted + "-" + std::to_string(more) + ".parquet";
  return target;
}

Status FleetAppend::commit() {
  sync_folder(staging_);
  return store_.publish(id_, targets_, kept_);
}

}  // namespace jrec
