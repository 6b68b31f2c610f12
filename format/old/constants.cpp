// SPDX-License-Identifier: Apache-2.0
#include "format/old/constants.h"

#include <algorithm>
#include <tuple>

#include "format/old/value_walk.h"

namespace jfr::old {

using read::Cursor;

namespace {

constexpr uint64_t kCheckpointHead = 24;  // size, type, ticks, the previous one

}  // namespace

Constants::Constants(std::span<const uint8_t> chunk, uint64_t end, const Description& description, uint64_t base,
                     read::Problems& problems)
    : chunk_(chunk),
      end_(end),
      description_(description),
      base_(base),
      problems_(problems),
      pools_(description.pools.size()) {
  if (!follow_chain()) walk_for_checkpoints();
  for (const uint64_t at : checkpoints_) read_checkpoint(at);
  std::ranges::sort(checkpoints_);
  for (std::vector<Constant>& pool : pools_)
    std::ranges::stable_sort(pool, {}, [](const Constant& one) { return std::tuple(one.key, one.at); });
}

// Newest first. Each link leads back, so that the chain ends.
bool Constants::follow_chain() {
  uint64_t limit = end_;
  for (uint64_t at = description_.newest_checkpoint; at != 0;) {
    Cursor in(chunk_.first(end_), std::min(at, end_));
    const uint32_t size = in.be32();
    const uint32_t type = in.be32();
    in.be64();
    const uint64_t previous = in.be64();
    if (!in.ok() || at < kBodyOffset || at >= limit || type != kCheckpointType || size < kCheckpointHead ||
        size > limit - at) {
      note(std::min(at, end_), "chain of checkpoints is broken");
      return false;
    }
    checkpoints_.push_back(at);
    limit = at;
    at = previous;
  }
  return true;
}

void Constants::walk_for_checkpoints() {
  for (uint64_t at = kBodyOffset; at < end_;) {
    Cursor in(chunk_.first(end_), at);
    const uint32_t size = in.be32();
    const uint32_t type = in.be32();
    if (!in.ok() || size < 8 || size > end_ - at) break;
    if (type == kCheckpointType && size >= kCheckpointHead) checkpoints_.push_back(at);
    at += size;
  }
  std::ranges::sort(checkpoints_, std::greater<>());
  checkpoints_.erase(std::unique(checkpoints_.begin(), checkpoints_.end()), checkpoints_.end());
}

void Constants::read_checkpoint(uint64_t checkpoint) {
  Cursor head(chunk_, checkpoint);
  const uint32_t size = head.be32();
  head.be32();
  const auto at = static_cast<int64_t>(head.be64());
  Cursor in(chunk_, checkpoint + kCheckpointHead, checkpoint + size);
  while (in.remaining() > 0) {
    const uint64_t begin = in.at();
    const uint32_t pool = description_.pool_of(in.be32());
    const uint32_t count = in.be32();
    if (!in.ok()) return note(begin, "a checkpoint ends inside of a pool");
    if (count == 0) continue;
    if (pool == kNone || !description_.can_hold_constants(pool))
      return note(begin, "a pool of constants that the metadata does not describe");
    const Pool& kind = description_.pools[pool];
    std::vector<Constant>& all = pools_[pool];
    const uint64_t least = width_of(kind.key) + description_.structures[kind.structure].least_size;
    const uint64_t fit = std::min<uint64_t>(count, in.remaining() / least);
    if (all.size() + fit > 2 * all.capacity()) all.reserve(all.size() + fit);  // one that doubles would take twice that
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t key = read_key(in, kind.key);
      const auto offset = static_cast<uint32_t>(in.at());
      skip_fields(in, description_, kind.structure);
      if (!in.ok()) return note(begin, "constants do not fit into their checkpoint");
      all.push_back({key, at, offset});
    }
  }
}

void Constants::note(uint64_t at, const char* what) { problems_.add(base::corrupt(base_ + at, what)); }

Constant* Constants::find(uint32_t pool, uint64_t key, int64_t at) {
  if (pool == kNone) return nullptr;
  std::vector<Constant>& all = pools_[pool];
  const auto found = std::ranges::lower_bound(all, std::tuple(key, at), {},
                                              [](const Constant& one) { return std::tuple(one.key, one.at); });
  return found == all.end() || found->key != key ? nullptr : &*found;
}

}  // namespace jfr::old
