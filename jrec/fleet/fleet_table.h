// SPDX-License-Identifier: Apache-2.0
// FleetTable is a table of `jrec sql` as files of a data set: the rows of one recording, chunk by chunk, each in the file of
// its day. Its numbers get the types that they have, and `recording` is the recording's id. Rows without a time are of the
// recording's first day, and there once, however many chunks have them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "jrec/fleet/fleet_day_files.h"
#include "jrec/fleet/fleet_stacks.h"
#include "jrec/fleet/partition.h"
#include "jrec/sql/sql_table.h"
#include "jrec/sql/sql_world.h"

namespace jrec {

struct FleetPlace {
  FleetAppend& append;
  Partition partition;  // but for its day
  FleetDays days;
};

class FleetTable {
 public:
  FleetTable(SqlWorld& world, SqlTable& table, FleetPlace place);

  // Stacks that rows refer to are noted.
  base::Status add(const SqlOneChunk& chunk, StacksUsed& stacks);
  base::Status finish() { return files_.finish(); }

 private:
  base::Status put_row(SqlRows& rows, StacksUsed& stacks);
  int64_t day_of_row(SqlRows& rows) const;
  bool is_new(SqlRows& rows);

  SqlWorld& world_;
  SqlTable& table_;
  const FleetPlace place_;
  const ParquetColumns columns_;
  int time_ = -1, recording_ = -1;  // columns
  std::vector<size_t> stack_columns_;
  std::set<std::string> met_;  // rows, of a table without times
  FleetDayFiles files_;
};

}  // namespace jrec
