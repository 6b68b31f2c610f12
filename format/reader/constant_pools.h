// SPDX-License-Identifier: Apache-2.0
// ConstantPools finds the constants of one chunk by type and key.
//
//   checkpoints, newest to oldest --> per type: where each entry stands in the chunk (12 bytes each)
//                                        |
//                                        +-- first find() of a type --> hash table of those entries
//                                                                       (built once, 24 bytes each at most)
//
// Nothing is decoded before it is asked for: find() gives a cursor at the value, that ends with it. The table has 32 bits
// of each key's hash, so that a lookup loads the bytes of one constant and of no other. Who asks for constants in the order
// in which they stand needs no table: where the next one lies is looked at first. The same key may stand in several
// checkpoints (a flush writes again what it has written); the oldest wins, as in the JDK's own reader. Memory is
// bounded by the chunk: every entry takes two bytes of it at least. Not thread safe, not even to read: find() builds
// tables.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "format/reader/cursor.h"
#include "format/reader/hash_slots.h"
#include "format/reader/key_hash.h"
#include "format/reader/metadata.h"
#include "format/reader/problems.h"

namespace jfr::read {

class ConstantPools {
 public:
  ConstantPools(std::span<const uint8_t> chunk, const Metadata& metadata);

  // Adds the entries of the checkpoint at `at`. Call from the newest checkpoint to the oldest. Damage is noted; the
  // entries in front of it are kept. offset_in_file is that of the chunk, for the note.
  void add_checkpoint(uint64_t at, uint64_t offset_in_file, Problems& problems);

  // Was the checkpoint at `at` added, and do its constants fill it to its last byte?
  bool has_whole(uint64_t at) const { return whole_.contains(at); }

  // A cursor at the value, not ok() when there is none. Key 0 is looked up like any other: enumerations use it.
  Cursor find(uint32_t type, uint64_t key);

  // kAhead calls of find() before that of this key: its bytes come nearer meanwhile.
  static constexpr uint32_t kAhead = 32;
  void prefetch(uint32_t type, uint64_t key) const {
    if (type >= pools_.size()) return;
    const Pool& pool = pools_[type];
    const uint32_t place = pool.in_order ? pool.last + kAhead : pool.slots.likely(hash_of(key));
    if (place != 0 && place <= pool.entries.size()) __builtin_prefetch(&chunk_[pool.entries[place - 1].at]);
  }

  // The keys of all constants of a type, each once, in the order of the checkpoints.
  std::vector<uint64_t> keys(uint32_t type) const;

  // Entries of a type, duplicates included.
  size_t count(uint32_t type) const { return type < pools_.size() ? pools_[type].entries.size() : 0; }

 private:
  struct Entry {
    uint32_t at = 0;  // of its key
    uint32_t end = 0;
    uint32_t hash = 0;  // of its key
  };
  struct Pool {
    base::LargeVector<Entry> entries;
    HashSlots slots;         // places in entries, counted from 1
    bool has_twice = false;  // a key
    uint32_t last = 0;       // the place that was found last
    bool in_order = false;   // it is right behind the one that was found before
  };

  void index(Pool& pool) const;
  bool is_key(const Pool& pool, uint32_t place, uint64_t key) const {
    return cursor_at(pool.entries[place - 1]).leb() == key;
  }
  bool is_behind_last(const Pool& pool, uint32_t hash, uint64_t key) const;
  uint32_t hash_of(uint64_t key) const { return static_cast<uint32_t>(hash_key(key, seed_)); }
  Cursor cursor_at(const Entry& entry) const { return Cursor(chunk_, entry.at, entry.end); }

  std::span<const uint8_t> chunk_;
  const Metadata* metadata_;
  std::vector<Pool> pools_;  // by index of the type
  std::set<uint64_t> whole_;
  uint64_t seed_;
};

}  // namespace jfr::read
