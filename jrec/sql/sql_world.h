// SPDX-License-Identifier: Apache-2.0
// SqlWorld is what all tables of a query share.
#pragma once

#include <optional>

#include "jrec/sql/chunk_source.h"
#include "jrec/sql/event_table_names.h"
#include "jrec/sql/sql_table.h"
#include "jrec/sql/stack_store.h"

namespace jrec {

struct SqlWorld {
  ChunkSource source;
  StackStore stacks;
  std::optional<EventTableNames> table_names;  // event_table_names() asks for them
  bool has_all_stacks = false;                 // of all chunks; otherwise of those that were read
};

// A table whose rows are made of the world and of what is wanted.
template <typename Rows>
class WorldTable : public SqlTable {
 public:
  WorldTable(SqlWorld& world, std::string name, std::vector<SqlColumn> columns)
      : SqlTable(std::move(name), std::move(columns)), world_(world) {}
  std::unique_ptr<SqlRows> scan(const SqlWanted& wanted) override { return std::make_unique<Rows>(world_, wanted); }

 private:
  SqlWorld& world_;
};

}  // namespace jrec
