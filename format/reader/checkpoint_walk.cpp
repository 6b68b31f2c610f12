// SPDX-License-Identifier: Apache-2.0
#include "format/reader/checkpoint_walk.h"

#include "format/header_layout.h"
#include "format/reader/values.h"

namespace jfr::read {

CheckpointWalk::CheckpointWalk(std::span<const uint8_t> chunk, const Metadata& metadata, uint64_t at)
    : metadata_(metadata), end_(at) {
  Cursor head(chunk, at);
  const uint64_t size = head.leb();
  const bool fits = head.ok() && size <= chunk.size() - at && head.at() - at <= size;
  if (!fits) {
    fail(at, "checkpoint does not fit into the chunk");
    return;
  }
  end_ = at + size;
  in_ = Cursor(chunk, head.at(), end_);
  const uint64_t type = in_.leb();
  start_at_ = in_.at();
  in_.skip_lebs(2);
  delta_at_ = in_.at();
  delta_ = static_cast<int64_t>(in_.leb());
  flags_at_ = in_.at();
  flags_ = in_.u8();
  pools_left_ = in_.leb();
  pools_at_ = in_.at();
  if (type != kCheckpointType)
    fail(at, "expected a checkpoint");
  else if (!in_.ok())
    fail(at, "checkpoint is cut short");
}

bool CheckpointWalk::next_pool() {
  while (next_constant()) {
  }
  if (!why_.empty()) return false;
  if (pools_left_ == 0) {
    if (in_.remaining() != 0) fail(in_.at(), "checkpoint has " + std::to_string(in_.remaining()) + " bytes too many");
    return false;
  }
  --pools_left_;
  pool_.at = in_.at();
  const uint64_t id = in_.leb();
  pool_.count = in_.leb();
  if (!in_.ok()) return fail(pool_.at, "checkpoint is cut short");
  pool_.type = metadata_.index_of(id);
  if (pool_.type == kNoType)
    return fail(pool_.at, "checkpoint holds constants of type " + std::to_string(id) + ", which is not declared");
  if (metadata_.types()[pool_.type].min_size == 0 && pool_.count != 0)
    return fail(pool_.at, "checkpoint holds constants of a type that cannot be decoded");
  constants_left_ = pool_.count;
  return true;
}

bool CheckpointWalk::next_constant() {
  if (constants_left_ == 0) return false;
  --constants_left_;
  const Type& type = metadata_.types()[pool_.type];
  constant_.at = in_.at();
  constant_.key = in_.leb();
  constant_.value = in_.at();
  skip_value(in_, metadata_, type);
  constant_.end = in_.at();
  if (in_.ok()) return true;
  return fail(constant_.at, "constant of " + std::string(type.name) + " does not fit into its checkpoint");
}

bool CheckpointWalk::fail(uint64_t at, std::string why) {
  why_ = std::move(why);
  why_at_ = at;
  constants_left_ = 0;
  pools_left_ = 0;
  return false;
}

}  // namespace jfr::read
