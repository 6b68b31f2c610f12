// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/segment_encoder.h"

#include <algorithm>

namespace rec {

void SegmentEncoder::clear() {
  constants_.segment().clear();
  events_.clear();
  samples_ = 0;
}

void SegmentEncoder::add_events(Spool& spool, Uncommitted uncommitted, uint32_t& slot) {
  const EventLog log = spool.log();
  const uint32_t end = log.claimed();
  const FactReader facts(spool.arena());  // after claimed(): what those events refer to lies before the arena's tail
  for (Event event; slot < end; ++slot) {
    if (log.read(slot, event)) {
      events_.encode(event, facts, constants_);
      samples_ += event.kind == EventKind::kSample;
      last_ticks_ = std::max(last_ticks_, event.ticks);
    } else if (uncommitted == Uncommitted::kEnd) {
      return;
    }
    if (events_.bytes().size() + constants_.segment().body_size() < kSegmentBytes) continue;
    ++slot;
    return;
  }
}

}  // namespace rec
