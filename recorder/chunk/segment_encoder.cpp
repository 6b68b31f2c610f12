// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/segment_encoder.h"

#include <algorithm>

namespace rec {
namespace {

constexpr uint64_t kLongestEventNs = uint64_t{1} << 50;  // what a dead process left may say anything

int64_t end_of(const Event& event) {
  const bool lasts = event.kind == EventKind::kGc || event.kind == EventKind::kEncoded;
  const uint64_t length = lasts ? std::min(event.value, kLongestEventNs) : 0;
  return static_cast<int64_t>(static_cast<uint64_t>(event.ticks) + length);
}

}  // namespace

void SegmentEncoder::clear() {
  constants_.segment().clear();
  events_.clear();
  samples_ = 0;
  first_ticks_ = INT64_MAX;
}

void SegmentEncoder::add_events(Spool& spool, Uncommitted uncommitted, uint32_t& slot) {
  const EventLog log = spool.log();
  const uint32_t end = log.claimed();
  const FactReader facts(spool.arena());  // after claimed(): what those events refer to lies before the arena's tail
  for (Event event; slot < end; ++slot) {
    if (log.read(slot, event)) {
      events_.encode(event, facts, constants_);
      samples_ += event.kind == EventKind::kSample;
      first_ticks_ = std::min(first_ticks_, end_of(event));
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
