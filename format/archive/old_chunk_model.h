// SPDX-License-Identifier: Apache-2.0
// What both directions of old_chunk_codec.h have: streams of a piece, and the columns of what its chunk describes.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "format/archive/old_frames.h"
#include "format/archive/old_record_code.h"

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
        records(streams),
        frames(streams),
        columns(streams) {}

  // Of the next chunk.
  void describe(old::Description description) {
    known_.emplace(std::move(description));
    events_.assign(known_->events.size(), std::nullopt);
    records.last_checkpoint = 0;
  }
  const old::Description& description() const { return *known_; }

  // nullptr: its events are not taken apart.
  const OldEventColumns* event(uint32_t index) {
    std::optional<OldEventColumns*>& event = events_[index];
    if (!event) event = columns.event(*known_, index);
    return *event;
  }

  Streams streams;
  const uint32_t more, kinds, raw_sizes;
  const uint32_t heads, raw;
  OldRecords records;
  OldFrames frames;
  OldColumns columns;

 private:
  std::optional<old::Description> known_;
  std::vector<std::optional<OldEventColumns*>> events_;  // by place in the description
};

}  // namespace jfr::archive
