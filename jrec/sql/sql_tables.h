// SPDX-License-Identifier: Apache-2.0
// The tables of `jrec sql`. docs/sql.md has their columns.
//
//   recordings       a row for each recording and member
//   chunks           for each chunk
//   event_types      for each type of a recording, with how many events it has
//   losses           for each event that tells of what is missing
//   events_TYPE      for each event of a type: jdk.GarbageCollection is events_jdk_GarbageCollection
//   samples          for each event with a stack
//   stacks, frames   for each distinct stack, and each frame of it
//   threads          for each thread of a recording
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "jrec/sql/sql_world.h"

namespace jrec {

std::unique_ptr<SqlTable> make_recordings_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_chunks_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_event_types_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_losses_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_samples_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_stacks_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_frames_table(SqlWorld& world);
std::unique_ptr<SqlTable> make_threads_table(SqlWorld& world);

// Of all types of the source, or those that the world was told of. Reads metadata, once.
const EventTableNames& event_table_names(SqlWorld& world);

// One for each event type for which `wanted(its table's name)`. Reads metadata only.
std::vector<std::unique_ptr<SqlTable>> make_event_tables(SqlWorld& world,
                                                         const std::function<bool(const std::string&)>& wanted);

// All others.
std::vector<std::unique_ptr<SqlTable>> make_plain_tables(SqlWorld& world);

}  // namespace jrec
