// SPDX-License-Identifier: Apache-2.0
// A data set's tables as tables of Delta Lake: each has a log beside its files (delta_log.h), by which engines find its files and
// columns by themselves, and see an export as a whole.
//
//   samples/service=shop/day=2026-11-22/host=web-1/ID.parquet
//   samples/_delta_log/00000000000000000003.json
//
// A log follows the files, not the exports: what is there and is not in it comes in, and what is in it and has gone goes. So partitions
// may be deleted, and a killed export, or one by a jrec that knows no logs, is made up for by the next. The log of `recordings` comes
// last.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "jrec/fleet/fleet_store.h"

namespace jrec {

struct DeltaChange {
  std::string table;
  size_t added = 0, removed = 0;  // files
  uint64_t version = 0;           // of the table, now
};

// Whether the data set keeps logs: it does for ever once they were asked for.
base::Result<bool> keeps_delta(FleetStore& store);
base::Status keep_delta(FleetStore& store);

// Brings all logs up to date. Each table that changed is told to `changed`, and each file or table that cannot be in its log, with why,
// to `left_out`: these stop no other.
struct DeltaHeard {
  std::function<void(const DeltaChange&)> changed;
  std::function<void(const std::string& what, const base::Error& why)> left_out;
};
base::Status follow_by_delta(FleetStore& store, const DeltaHeard& heard);

}  // namespace jrec
