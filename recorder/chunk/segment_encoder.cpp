// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/segment_encoder.h"

#include <algorithm>
#include <utility>

namespace rec {
namespace {

constexpr uint64_t kLongestEventNs = uint64_t{1} << 50;  // what a dead process left may say anything

int64_t end_of(const Event& event) {
  const bool lasts = event.kind == EventKind::kGc || event.kind == EventKind::kEncoded || is_wait(event.kind);
  const bool is_wall = event.kind == EventKind::kWallSample;
  const uint64_t value = is_wall ? static_cast<uint64_t>(wall_length_ns(event.value)) : event.value;
  const uint64_t length = lasts || is_wall ? std::min(value, kLongestEventNs) : 0;
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
  constants_.read_from(spool.header().serial);
  Event context;  // of the event in this slot
  for (Event event; slot < end; ++slot) {
    if (const Event before = std::exchange(context, {}); log.read(slot, event)) {
      if (event.kind == EventKind::kContext) {  // no piece ends behind it
        context = event;
        continue;
      }
      events_.encode(event, facts, constants_, before);
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

void SegmentEncoder::add_live(Spool& spool) {
  const FactReader facts(spool.arena());
  constants_.read_from(spool.header().serial);
  const std::vector<Event> alive = live_objects(spool);
  for (const Event& each : alive) last_ticks_ = std::max(last_ticks_, each.ticks);
  for (Event each : alive) {
    each.ticks = last_ticks_;
    events_.encode(each, facts, constants_);
  }
  if (!alive.empty()) first_ticks_ = std::min(first_ticks_, last_ticks_);
}

std::vector<Event> live_objects(Spool& spool) {
  std::vector<Event> alive;
  Event event;
  for (const EventSlot& slot : spool.live_slots())
    if (read_slot(slot, event) && event.kind == EventKind::kLiveObject) alive.push_back(event);
  return alive;
}

}  // namespace rec
