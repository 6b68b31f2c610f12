// SPDX-License-Identifier: Apache-2.0
// RepairWalk goes through the events of a chunk and tells the good from what is none. See repair.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "format/reader/constant_pools.h"
#include "format/reader/event_walk.h"
#include "format/reader/metadata.h"
#include "format/reader/problems.h"

namespace rec {

// A stretch of a chunk that holds no event that can be read.
struct BadStretch {
  uint64_t at;
  uint64_t end;
  const char* why;
};

struct GoodCheckpoint {
  uint64_t at;
  uint64_t delta_at;  // where its delta stands
  uint64_t delta_bytes;
  int64_t delta;
};

class RepairWalk {
 public:
  // chunk: the bytes to walk. metadata: of this chunk; anchors: places where an event is known to start, ascending.
  RepairWalk(std::span<const uint8_t> chunk, const jfr::read::Metadata& metadata, std::vector<uint64_t> anchors);

  void run();
  jfr::read::ConstantPools& pools() { return pools_; }  // of the checkpoints that can be read

  uint64_t end = 0;  // of the last good event
  uint64_t samples = 0;
  int64_t last_ticks = INT64_MIN;      // the latest start of an event
  std::vector<uint64_t> metadata_met;  // where it stands, ascending
  std::vector<GoodCheckpoint> checkpoints;
  std::vector<BadStretch> bad;  // ascending, apart from each other, none at the end
  BadStretch tail{};            // what was behind the last good event

 private:
  using Event = jfr::read::Event;
  const char* read_head(uint64_t at, Event& event) const;  // null: fine
  const char* check(const Event& event);                   // null: a good event
  const char* check_checkpoint(const Event& event);
  bool is_filled(const Event& checkpoint) const;
  void note_good(const Event& event);
  void extend_bad(uint64_t from, uint64_t to, const char* why);
  uint64_t next_anchor(uint64_t at) const;

  std::span<const uint8_t> chunk_;
  const jfr::read::Metadata& metadata_;
  std::vector<uint64_t> anchors_;
  uint64_t cover_type_;
  std::vector<bool> counts_;  // by type: its events are samples
  jfr::read::ConstantPools pools_;
  jfr::read::Problems problems_;
  GoodCheckpoint candidate_{};
};

// A bad stretch is covered by an event (format/reader/cover_type.h).
inline constexpr uint64_t kLeastCover = 6;  // bytes: a size of four, and the type

}  // namespace rec
