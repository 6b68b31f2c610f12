// SPDX-License-Identifier: Apache-2.0
// The way of a record of version 0.9 over its columns, said once for both directions (old_columns.h). A Coder is one that
// takes records apart, or one that puts them together:
//
//   uint64_t number(stream, width)               big-endian bytes
//   uint64_t difference(stream, width, before)   the same, by its difference to another; the number itself
//   void text(column), stack(column)
//   bool more(stream)                            whether the record has more pools of constants
//   uint32_t pool(stream, description)           the place of a pool, which is told by its id; old::kNone: there is none
//   bool ok()
#pragma once

#include "format/archive/old_columns.h"

namespace jfr::archive {

// What records have in common: streams, and what the last ones had.
struct OldRecords {
  explicit OldRecords(Streams& streams)
      : ticks(streams.add_numbers()),
        previous(streams.add_numbers()),
        more(streams.add_numbers()),
        pools(streams.add_numbers()),
        counts(streams.add_numbers()) {}
  uint32_t ticks, previous, more, pools, counts;  // of checkpoints
  uint64_t last_end = 0, last_ticks = 0;
  uint64_t last_checkpoint = 0;  // where in its chunk
};

template <typename Coder>
void code_columns(Coder& coder, const std::vector<OldColumn>& columns) {
  for (const OldColumn& column : columns) {
    if (!coder.ok()) return;
    switch (column.kind) {
      case OldColumn::Kind::kNumber: coder.number(column.numbers, column.width); break;
      case OldColumn::Kind::kText: coder.text(column); break;
      case OldColumn::Kind::kStack: coder.stack(column); break;
      case OldColumn::Kind::kStruct: code_columns(coder, column.inner); break;
      case OldColumn::Kind::kArray:
        for (uint64_t left = coder.number(column.numbers, column.width); left > 0 && coder.ok(); --left)
          code_columns(coder, column.inner);
    }
  }
}

// Behind its size and type.
template <typename Coder>
void code_event(Coder& coder, const OldEventColumns& columns, const old::EventType& type, OldRecords& records) {
  records.last_end = coder.difference(columns.ends, 8, records.last_end);
  if (type.has_start) coder.difference(columns.starts, 8, records.last_end);
  if (type.has_thread) coder.number(columns.threads, 4);
  if (type.has_stack) coder.number(columns.stacks, 8);
  code_columns(coder, columns.fields);
}

// Likewise. False: a pool has no columns.
template <typename Coder>
bool code_checkpoint(Coder& coder, OldColumns& columns, const old::Description& description, OldRecords& records) {
  records.last_ticks = coder.difference(records.ticks, 8, records.last_ticks);
  coder.difference(records.previous, 8, records.last_checkpoint);
  while (coder.ok() && coder.more(records.more)) {
    const uint32_t index = coder.pool(records.pools, description);
    OldPoolColumns* const pool = index == old::kNone ? nullptr : columns.pool(description, index);
    if (pool == nullptr) return false;
    const uint32_t width = old::width_of(description.pools[index].key);
    for (uint64_t left = coder.number(records.counts, 4); left > 0 && coder.ok(); --left) {
      pool->last_key = coder.difference(pool->keys, width, pool->last_key);
      code_columns(coder, pool->fields);
    }
  }
  return coder.ok();
}

}  // namespace jfr::archive
