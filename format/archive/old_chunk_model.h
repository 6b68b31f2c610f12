// SPDX-License-Identifier: Apache-2.0
// What both directions of old_chunk_codec.h have: streams of a piece, the columns of what its chunk describes, and what the
// records so far had.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "format/archive/old_columns.h"
#include "format/archive/old_frames.h"

namespace jfr::archive {

class OldChunkModel {
 public:
  static constexpr uint64_t kHeadBytes = old::kBodyOffset, kRecordHead = 8;  // size and type
  enum Kind : uint64_t { kMetadata, kRaw, kCheckpoint, kFirstEvent };

  OldChunkModel()
      : more(streams.add_numbers()),
        kinds(streams.add_numbers()),
        raw_sizes(streams.add_numbers()),
        heads(streams.add_bytes()),
        raw(streams.add_bytes()),
        ticks(streams.add_numbers()),
        previous(streams.add_numbers()),
        more_pools(streams.add_numbers()),
        pools(streams.add_numbers()),
        counts(streams.add_numbers()),
        frames(streams),
        columns_(streams) {}

  // Of the next chunk.
  void describe(old::Description description) {
    known_.emplace(std::move(description));
    events_.assign(known_->events.size(), std::nullopt);
    constants_.assign(known_->pools.size(), std::nullopt);
    last_checkpoint = 0;
  }
  const old::Description& description() const { return *known_; }

  // By place in the description. nullptr: they are not taken apart.
  const OldEventColumns* event(uint32_t index) {
    std::optional<OldEventColumns*>& event = events_[index];
    if (!event) event = columns_.event(*known_, index);
    return *event;
  }
  OldPoolColumns* pool(uint32_t index) {
    std::optional<OldPoolColumns*>& pool = constants_[index];
    if (!pool) pool = columns_.pool(*known_, index);
    return *pool;
  }

  Streams streams;
  const uint32_t more, kinds, raw_sizes;
  const uint32_t heads, raw;
  const uint32_t ticks, previous, more_pools, pools, counts;  // of checkpoints
  OldFrames frames;
  uint64_t last_end = 0;         // of events
  uint64_t last_ticks = 0;       // of checkpoints
  uint64_t last_checkpoint = 0;  // where in its chunk

 private:
  OldColumns columns_;
  std::optional<old::Description> known_;
  std::vector<std::optional<OldEventColumns*>> events_;
  std::vector<std::optional<OldPoolColumns*>> constants_;
};

}  // namespace jfr::archive
