// SPDX-License-Identifier: Apache-2.0
// FleetRows is the table samples of one recording: rows of chunks go to the file of their day.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jrec/fleet/fleet_directory.h"
#include "jrec/fleet/fleet_samples.h"
#include "jrec/fleet/fleet_stacks.h"
#include "jrec/fleet/partition.h"

namespace jrec {

class FleetRows {
 public:
  FleetRows(FleetAppend& append, Partition partition, const FleetDays& days, std::string version)
      : append_(append), partition_(std::move(partition)), days_(days), version_(std::move(version)) {}

  // Also notes which stacks they use.
  base::Status add(FleetSamples& samples, StacksUsed& stacks);
  base::Status finish();
  uint64_t rows() const { return rows_; }
  std::vector<std::string> days() const;  // that have rows

 private:
  using Rows = std::span<const FleetSamples::Row>;
  base::Result<ParquetWriter*> file_of(int64_t day);
  base::Status add_day(const FleetSamples& samples, Rows rows, int64_t day, StacksUsed& stacks);
  void end_other_days(const FleetSamples& samples);
  void put(const FleetSamples& samples, Rows rows, ParquetWriter& out, std::vector<bool>& used);

  FleetAppend& append_;
  Partition partition_;
  const FleetDays days_;
  const std::string version_;                            // empty: none
  std::map<int64_t, std::unique_ptr<FleetFile>> files_;  // by day
  uint64_t malloc_interval_ = 0;                         // that was told last
  uint64_t rows_ = 0;
};

}  // namespace jrec
