// SPDX-License-Identifier: Apache-2.0
// FleetRows is the table samples of one recording: rows of chunks go to the file of their day.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "jrec/fleet/fleet_day_files.h"
#include "jrec/fleet/fleet_samples.h"
#include "jrec/fleet/fleet_stacks.h"
#include "jrec/fleet/partition.h"

namespace jrec {

class FleetRows {
 public:
  FleetRows(FleetAppend& append, Partition partition, const FleetDays& days, std::string version);

  // Also notes which stacks they use.
  base::Status add(FleetSamples& samples, StacksUsed& stacks);
  base::Status finish() { return files_.finish(); }
  uint64_t rows() const { return rows_; }

 private:
  using Rows = std::span<const FleetSamples::Row>;
  base::Status add_day(const FleetSamples& samples, Rows rows, int64_t day, StacksUsed& stacks);
  void put(const FleetSamples& samples, Rows rows, ParquetWriter& out, std::vector<bool>& used);

  const std::string recording_;  // its id
  const FleetDays days_;
  const std::string version_;  // empty: none
  FleetDayFiles files_;
  uint64_t malloc_interval_ = 0;  // that was told last
  uint64_t rows_ = 0;
};

}  // namespace jrec
