// SPDX-License-Identifier: Apache-2.0
// One recording on its way into a data set:
//
//   bytes --XXH3--> id: is it there already?
//   chunks, side by side --> samples --> files of their days --> commit
//
// What is damaged is told, as everywhere, and what is good of it is kept; the row in recordings says so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jrec/fleet/fleet_append.h"
#include "jrec/fleet/fleet_identity.h"
#include "jrec/fleet/fleet_stacks.h"
#include "jrec/sql/sql_world.h"

namespace jrec {

struct FleetResult {
  bool was_there = false;
  std::string id;
  std::string service, host;
  uint64_t samples = 0, stacks = 0;  // rows that were added
};

// Each table in `tables` beside samples, stacks and recordings. kUsage: it has no chunk.
base::Result<FleetResult> export_recording(SqlWorld& world, uint32_t recording, const SaidOfFleet& said,
                                           const std::vector<std::unique_ptr<SqlTable>>& tables, FleetStore& store,
                                           StacksThere& there);

}  // namespace jrec
