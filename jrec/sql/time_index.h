// SPDX-License-Identifier: Apache-2.0
// A table whose rows are asked for by time again and again, as in a join over ranges of time:
//
//   select ... from events_jdk_JavaMonitorWait w join samples s on s.time_ns between w.startTime and w.startTime + w.duration
//
// The first scans read the chunks, as those of any table. From the third on, the columns that the query uses are kept in
// memory, in the order of time, and a scan is a binary search: if they are no more than kMostCells.
#pragma once

#include <memory>

#include "jrec/sql/sql_table.h"

namespace jrec {

inline constexpr size_t kMostCells = 1 << 20;

// The table itself, if it has no column of time.
std::unique_ptr<SqlTable> with_time_index(std::unique_ptr<SqlTable> table);

}  // namespace jrec
