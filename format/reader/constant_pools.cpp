// SPDX-License-Identifier: Apache-2.0
#include "format/reader/constant_pools.h"

#include <string>

#include "format/header_layout.h"
#include "format/reader/key_table.h"
#include "format/reader/values.h"

namespace jfr::read {

using base::corrupt;

ConstantPools::ConstantPools(std::span<const uint8_t> chunk, const Metadata& metadata)
    : chunk_(chunk), metadata_(&metadata), pools_(metadata.types().size()), seed_(key_hash_seed()) {}

void ConstantPools::add_checkpoint(uint64_t at, uint64_t offset_in_file, Problems& problems) {
  Cursor head(chunk_, at);
  const uint64_t size = head.leb();
  if (!head.ok() || size == 0 || size > chunk_.size() - at)
    return problems.add(corrupt(offset_in_file + at, "checkpoint is cut short"));
  Cursor in(chunk_, head.at(), at + size);
  if (in.leb() != kCheckpointType) return problems.add(corrupt(offset_in_file + at, "expected a checkpoint"));
  in.skip_lebs(3);  // start, duration, delta
  in.u8();          // flags
  for (uint64_t pools = in.leb(); pools > 0 && in.ok(); --pools) {
    const uint64_t pool_at = in.at();
    const uint64_t id = in.leb();
    const uint32_t index = metadata_->index_of(id);
    if (in.ok() && index == kNoType)
      return problems.add(corrupt(offset_in_file + pool_at, "checkpoint holds constants of type " + std::to_string(id) +
                                                                ", which is not declared"));
    if (!in.ok()) break;
    const Type& type = metadata_->types()[index];
    Pool& pool = pools_[index];
    pool.slots.clear();
    const uint64_t count = in.leb();
    if (type.min_size == 0 && count != 0)
      return problems.add(
          corrupt(offset_in_file + pool_at, "checkpoint holds constants of a type that cannot be decoded"));
    for (uint64_t i = 0; i < count; ++i) {
      const auto entry = static_cast<uint32_t>(in.at());
      const uint64_t key = in.leb();
      skip_value(in, *metadata_, type);
      if (!in.ok()) break;
      pool.entries.push_back({entry, static_cast<uint32_t>(in.at()), hash_of(key)});
    }
  }
  if (!in.ok())
    problems.add(
        corrupt(offset_in_file + at, "checkpoint's constants do not fit into its " + std::to_string(size) + " bytes"));
  else if (in.remaining() == 0)
    whole_.insert(at);
}

std::vector<uint64_t> ConstantPools::keys(uint32_t type) const {
  std::vector<uint64_t> keys;
  if (type >= pools_.size()) return keys;
  KeyTable<bool> met;
  for (const Entry& entry : pools_[type].entries) {
    const uint64_t key = cursor_at(entry).leb();
    if (met.find_or_add(key, true).is_new) keys.push_back(key);
  }
  return keys;
}

Cursor ConstantPools::find(uint32_t type, uint64_t key) {
  Cursor none(chunk_, 0, 0);
  none.fail();
  if (type >= pools_.size() || pools_[type].entries.empty()) return none;
  Pool& pool = pools_[type];
  if (pool.slots.empty()) index(pool);
  const uint32_t hash = hash_of(key);
  pool.in_order = is_behind_last(pool, hash, key);
  const uint32_t place =
      pool.in_order ? pool.last + 1 : pool.slots.find(hash, [&](uint32_t number) { return is_key(pool, number, key); });
  if (place == 0) return none;
  pool.last = place;
  Cursor in = cursor_at(pool.entries[place - 1]);
  in.leb();
  return in;
}

// Where a key stands twice, the table alone says which is meant.
bool ConstantPools::is_behind_last(const Pool& pool, uint32_t hash, uint64_t key) const {
  return !pool.has_twice && pool.last < pool.entries.size() && pool.entries[pool.last].hash == hash &&
         is_key(pool, pool.last + 1, key);
}

void ConstantPools::index(Pool& pool) const {
  pool.slots.make_room(pool.entries.size());
  pool.last = 0;
  pool.has_twice = false;
  for (uint32_t place = 1; place <= pool.entries.size(); ++place) {
    const Entry& entry = pool.entries[place - 1];
    uint32_t& number = pool.slots.find_or_take(
        entry.hash, [&](uint32_t other) { return is_key(pool, other, cursor_at(entry).leb()); });
    pool.has_twice = pool.has_twice || number != 0;
    number = place;  // the later is the older
  }
}

}  // namespace jfr::read
