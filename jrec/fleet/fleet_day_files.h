// SPDX-License-Identifier: Apache-2.0
// FleetDayFiles is a table of one recording as files of a data set: one for each day that has rows, begun with the first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "jrec/fleet/fleet_append.h"
#include "jrec/fleet/partition.h"

namespace jrec {

class FleetDayFiles {
 public:
  // columns: live as long as this does.
  FleetDayFiles(FleetAppend& append, Partition partition, std::string table, const ParquetColumns& columns)
      : append_(append), partition_(std::move(partition)), table_(std::move(table)), columns_(columns) {}

  base::Result<ParquetWriter*> of(int64_t day);
  void end_groups_but_of(int64_t day);
  base::Status finish();

 private:
  FleetAppend& append_;
  Partition partition_;  // but for its day
  const std::string table_;
  const ParquetColumns& columns_;
  std::map<int64_t, std::unique_ptr<FleetFile>> files_;
};

}  // namespace jrec
