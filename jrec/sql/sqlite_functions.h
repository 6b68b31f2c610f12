// SPDX-License-Identifier: Apache-2.0
// What queries have beside SQLite's own functions:
//
//   median(x), percentile(x, p)   of a group's numbers; p from 0 to 100. Exact up to 65,536 values (quantiles.h)
//   ts(ns)                        2026-11-26T06:00:00.123Z: nanoseconds since 1970 as a time
//   duration(ns)                  12.3 ms, 2 m 5 s
//
// Null for null, and where there is nothing to count.
#pragma once

struct sqlite3;

namespace jrec {

void add_functions(sqlite3* database);

}  // namespace jrec
