// SPDX-License-Identifier: Apache-2.0
// A SqlTable as a virtual table of SQLite.
#pragma once

#include "jrec/sql/sql_table.h"

struct sqlite3;

namespace jrec {

// The table must outlive the database.
bool add_module(sqlite3* database, SqlTable& table);

}  // namespace jrec
