// SPDX-License-Identifier: Apache-2.0
// A table of `jrec sql` as files of a data set: the rows of one recording, each in the file of its day. Its numbers get the
// types that they have, and `recording` is the recording's id.
#pragma once

#include <cstdint>

#include "jrec/fleet/fleet_directory.h"
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

// Rows without a time are of the recording's first day. `recording` counts from 0. Stacks that rows refer to are noted.
base::Status write_fleet_table(SqlWorld& world, SqlTable& table, uint32_t recording, const FleetPlace& place,
                               StacksUsed& stacks);

}  // namespace jrec
