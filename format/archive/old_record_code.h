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

#include "format/archive/old_chunk_model.h"

namespace jfr::archive {

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
void code_event(Coder& coder, const OldEventColumns& columns, const old::EventType& type, OldChunkModel& model) {
  model.last_end = coder.difference(columns.ends, 8, model.last_end);
  if (type.has_start) coder.difference(columns.starts, 8, model.last_end);
  if (type.has_thread) coder.number(columns.threads, 4);
  if (type.has_stack) coder.number(columns.stacks, 8);
  code_columns(coder, columns.fields);
}

template <typename Coder>
void code_constants(Coder& coder, uint32_t key_width, OldPoolColumns& pool, uint64_t count) {
  for (; count > 0 && coder.ok(); --count) {
    pool.last_key = coder.difference(pool.keys, key_width, pool.last_key);
    code_columns(coder, pool.fields);
  }
}

// Likewise. False: a pool has no columns.
template <typename Coder>
bool code_checkpoint(Coder& coder, OldChunkModel& model) {
  model.last_ticks = coder.difference(model.ticks, 8, model.last_ticks);
  coder.difference(model.previous, 8, model.last_checkpoint);
  while (coder.ok() && coder.more(model.more_pools)) {
    const uint32_t index = coder.pool(model.pools, model.description());
    OldPoolColumns* const pool = index == old::kNone ? nullptr : model.pool(index);
    if (pool == nullptr) return false;
    const uint32_t width = old::width_of(model.description().pools[index].key);
    code_constants(coder, width, *pool, coder.number(model.counts, 4));
  }
  return coder.ok();
}

}  // namespace jfr::archive
