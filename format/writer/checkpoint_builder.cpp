// SPDX-License-Identifier: Apache-2.0
#include "format/writer/checkpoint_builder.h"

#include <algorithm>
#include <cassert>

#include "base/leb128.h"

namespace jfr {
namespace {

// size, type, start, duration, delta, flags, pool count, each at its longest
constexpr size_t kHeadLimit = 4 + 1 + 9 + 8 + 9 + 1 + 5;
static_assert(kHeadLimit <= 64, "body_size() may promise at most 64 bytes too many");

bool has_entries(const auto& pool) { return pool.second.count() > 0; }

}  // namespace

bool CheckpointBuilder::empty() const {
  return std::none_of(pools_.begin(), pools_.end(), [](const auto& pool) { return has_entries(pool); });
}

size_t CheckpointBuilder::body_size() const {
  size_t size = kHeadLimit;
  for (const auto& [type, pool] : pools_) {
    if (pool.count() > 0)
      size += base::leb_size(static_cast<uint64_t>(type)) + base::leb_size(pool.count()) + pool.body().size();
  }
  return size;
}

void CheckpointBuilder::encode(ByteSink& out, int64_t start_ticks, int64_t delta, CheckpointFlag flag,
                               size_t duration_width) const {
  assert(delta <= 0 && "a checkpoint points back to the one before");
  const size_t at = out.reserve_size();
  out.leb(static_cast<uint64_t>(TypeId::kCheckpoint));
  out.leb_i64(start_ticks);
  out.leb_padded(0, duration_width);
  out.leb_i64(delta);
  out.u8(static_cast<uint8_t>(flag));
  out.leb(static_cast<uint64_t>(
      std::count_if(pools_.begin(), pools_.end(), [](const auto& pool) { return has_entries(pool); })));
  for (const auto& [type, pool] : pools_) {
    if (pool.count() == 0) continue;
    out.leb(static_cast<uint64_t>(type));
    out.leb(pool.count());
    out.raw(pool.body());
  }
  assert(out.size() - at <= body_size() && "body_size() is a promise: chunks reserve by it");
  out.patch_size(at, static_cast<uint32_t>(out.size() - at));
}

}  // namespace jfr
