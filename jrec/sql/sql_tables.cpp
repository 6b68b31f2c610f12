// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/sql_tables.h"

namespace jrec {

std::vector<std::unique_ptr<SqlTable>> make_plain_tables(SqlWorld& world) {
  std::vector<std::unique_ptr<SqlTable>> tables;
  for (auto make : {make_recordings_table, make_chunks_table, make_event_types_table, make_losses_table,
                    make_samples_table, make_stacks_table, make_frames_table, make_threads_table})
    tables.push_back(make(world));
  return tables;
}

}  // namespace jrec
