// SPDX-License-Identifier: Apache-2.0
// ConstantPools finds the constants of one chunk by type and key.
//
//   checkpoints, newest to oldest --> per type: where each entry stands in the chunk (4 bytes each)
//                                        |
//                                        +-- first find() of a type --> hash table of those entries
//                                                                       (built once, 8 bytes each at most)
//
// Nothing is decoded before it is asked for: find() gives a cursor at the value. The same key may stand in several
// checkpoints (a flush writes again what it has written); the oldest wins, as in the JDK's own reader. Memory is
// bounded by the chunk: every entry takes two bytes of it at least. Not thread safe, not even to read: find() builds
// tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/reader/cursor.h"
#include "format/reader/metadata.h"
#include "format/reader/problems.h"

namespace jfr::read {

class ConstantPools {
 public:
  ConstantPools(std::span<const uint8_t> chunk, const Metadata& metadata);

  // Adds the entries of the checkpoint at `at`. Call from the newest checkpoint to the oldest. Damage is noted; the
  // entries in front of it are kept. offset_in_file is that of the chunk, for the note.
  void add_checkpoint(uint64_t at, uint64_t offset_in_file, Problems& problems);

  // A cursor at the value, not ok() when there is none. Key 0 is looked up like any other: enumerations use it.
  Cursor find(uint32_t type, uint64_t key);

  // The keys of all constants of a type, each once, in the order of the checkpoints.
  std::vector<uint64_t> keys(uint32_t type) const;

  // Entries of a type, duplicates included.
  size_t count(uint32_t type) const { return type < pools_.size() ? pools_[type].entries.size() : 0; }

 private:
  struct Pool {
    std::vector<uint32_t> entries;  // where each key stands
    std::vector<uint32_t> table;    // open addressing by key; 0 is free (no entry stands at 0)
  };

  void build_table(Pool& pool) const;
  uint32_t* slot_of(Pool& pool, uint64_t key) const;

  std::span<const uint8_t> chunk_;
  const Metadata* metadata_;
  std::vector<Pool> pools_;  // by index of the type
  uint64_t seed_;
};

}  // namespace jfr::read
