// SPDX-License-Identifier: Apache-2.0
// SegmentEncoder encodes a stretch of an event log: the events, and the constants they need that this chunk does not
// have yet. Rotation and recovery both use it, so what a dead process left becomes the same bytes. Recorder thread
// only.
#pragma once

#include <cstdint>
#include <vector>

#include "recorder/chunk/constant_writer.h"
#include "recorder/chunk/event_encoder.h"
#include "recorder/spool/spool.h"

namespace rec {

class SegmentEncoder {
 public:
  // first_id: of what is numbered by content; apart from the ids in chunks that this one will stand beside.
  SegmentEncoder(SampleEvent sample_event, int64_t sample_period_ns, uint64_t first_id = 1)
      : constants_(first_id), events_(sample_event, sample_period_ns) {}

  // Serials are never 0 and differ from chunk to chunk.
  void start_chunk(uint32_t serial) { constants_.start_chunk(serial); }
  void clear();

  // Adds events from `slot` on, at most about kSegmentBytes; moves `slot` behind them. Slots that are not committed end
  // it (somebody may be about to), or are skipped (whoever claimed them is dead). A context is not parted from its event.
  enum class Uncommitted { kEnd, kSkip };
  void add_events(Spool& spool, Uncommitted uncommitted, uint32_t& slot);

  // Of a dead process: the objects that were alive (live_object.h), as one batch.
  void add_live(Spool& spool);

  EventEncoder& events() { return events_; }
  const jfr::CheckpointBuilder& constants() { return constants_.segment(); }
  bool empty() const { return events_.bytes().empty(); }
  uint64_t samples() const { return samples_; }         // among the events added
  int64_t first_ticks() const { return first_ticks_; }  // when the earliest of these ended; INT64_MAX: none
  int64_t last_ticks() const { return last_ticks_; }    // the latest, ever

 private:
  ConstantWriter constants_;
  EventEncoder events_;
  uint64_t samples_ = 0;
  int64_t first_ticks_ = INT64_MAX;
  int64_t last_ticks_ = 0;
};

std::vector<Event> live_objects(Spool& spool);

}  // namespace rec
