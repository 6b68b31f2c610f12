// SPDX-License-Identifier: Apache-2.0
// What may be asked of, for people who explore: words with a dot in front, in the place of a query.
//
//   .tables            each table, also that of each event type that a recording has, and how many columns it has
//   .schema [TABLE]    the columns of one table, or of all, and their types
//
// The answer is rows like those of a query.
#pragma once

#include <string>

#include "base/result.h"
#include "jrec/sql/sql_table.h"
#include "jrec/sql/sql_world.h"

namespace jrec {

bool asks_for_schema(const std::string& query);

// kUsage: there is no such word or table.
base::Status tell_schema(SqlWorld& world, const std::string& query, const SqlSink& sink);

}  // namespace jrec
