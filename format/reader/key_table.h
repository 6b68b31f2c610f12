// SPDX-License-Identifier: Apache-2.0
// KeyTable is a hash table from the keys of constants to what is known of them.
//
//   entries:  [key value][key value] ...     in the order in which they came: iteration tells the same story each time
//   slots:    places in entries, open addressing, at most two thirds full
//
// Smaller and quicker than std::unordered_map where millions of small values are looked up. Entries are never taken
// out. References are good until the next find_or_add(). Keys may be hostile: their hash is to be seeded (key_hash.h).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

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
    if ((entries_.size() + 1) * 3 > slots_.size() * 2) grow();
    uint32_t& slot = slots_[slot_of(key)];
    if (slot != 0) return {entries_[slot - 1].value, false, slot - 1};
    entries_.push_back({key, fresh});
    slot = static_cast<uint32_t>(entries_.size());
    return {entries_.back().value, true, slot - 1};
  }

  // nullptr when there is none.
  const Value* find(const Key& key) const {
    if (entries_.empty()) return nullptr;
    const uint32_t slot = slots_[slot_of(key)];
    return slot == 0 ? nullptr : &entries_[slot - 1].value;
  }

  // By the place that find_or_add() told.
  Value& at(uint32_t place) { return entries_[place].value; }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  size_t slot_of(const Key& key) const {
    const size_t mask = slots_.size() - 1;
    size_t at = hash_(key) & mask;
    while (slots_[at] != 0 && entries_[slots_[at] - 1].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, 0);
    for (size_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].key)] = static_cast<uint32_t>(i + 1);
  }

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // place in entries_ + 1; 0 is free. A power of two
  Hash hash_;
};

}  // namespace jfr::read
