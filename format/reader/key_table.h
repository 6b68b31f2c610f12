// SPDX-License-Identifier: Apache-2.0
// KeyTable is a hash table from the keys of constants to what is known of them.
//
//   entries:  [key value][key value] ...     in the order in which they came: iteration tells the same story each time
//   slots:    places in entries (hash_slots.h)
//
// Smaller and quicker than std::unordered_map where millions of small values are looked up. Entries are never taken
// out. References are good until the next find_or_add(). Keys may be hostile: their hash is to be seeded (key_hash.h).
#pragma once

#include <cstdint>

#include "base/large_vector.h"
#include "format/reader/hash_slots.h"
#include "format/reader/key_hash.h"

namespace jfr::read {

template <typename Value, typename Key = uint64_t, typename Hash = KeyHash>
class KeyTable {
 public:
  struct Entry {
    Key key;
    Value value;
  };

  struct Found {
    Value& value;
    bool is_new;
    uint32_t place;  // of the entry, counted from 0
  };

  // The value of a key; when it is new, it is `fresh`.
  Found find_or_add(const Key& key, const Value& fresh = Value()) {
    uint32_t& number = slots_.find_or_take(hash_of(key), is_of(key));
    if (number != 0) return {entries_[number - 1].value, false, number - 1};
    entries_.push_back({key, fresh});
    number = static_cast<uint32_t>(entries_.size());
    return {entries_.back().value, true, number - 1};
  }

  // nullptr when there is none.
  const Value* find(const Key& key) const {
    const uint32_t number = slots_.find(hash_of(key), is_of(key));
    return number == 0 ? nullptr : &entries_[number - 1].value;
  }

  // By the place that find_or_add() told.
  Value& at(uint32_t place) { return entries_[place].value; }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  uint32_t hash_of(const Key& key) const { return static_cast<uint32_t>(hash_(key)); }
  auto is_of(const Key& key) const {
    return [this, &key](uint32_t number) { return entries_[number - 1].key == key; };
  }

  base::LargeVector<Entry> entries_;
  HashSlots slots_;  // place in entries_ + 1
  Hash hash_;
};

}  // namespace jfr::read
