// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/critical_track.h"

#include <algorithm>

#include "agent/safepoint/likely_start.h"

namespace rec::agent {

using Held = CriticalWords::Held;

void CriticalTrack::note(const SafepointLook& look) {
  if (look.phase <= SafepointPhase::kMoving || look.parts.asked == 0) return;
  last_ = Safepoint{look.counts.requested, look.type, look.parts};
  if (stall_) note_collection();
}

// kGaveUp: any but the one that gave up. kAsks: one that was asked for after the collection was.
void CriticalTrack::note_collection() {
  if (stall_->kind == Held::kGaveUp && !stall_->gave_up) return note_giving_up();
  if (stall_->kind == Held::kAsks && stall_->collection && stall_->collection->number != last_->number) {
    if (stall_->collection->number + 1 == last_->number) stall_->collection->parts.ended = last_->parts.ended_before;
    return;
  }
  const bool is_later = stall_->kind == Held::kGaveUp ? last_->number > stall_->gave_up->number
                                                      : last_->parts.asked >= stall_->from_ticks;
  if (is_later) stall_->collection = last_;
}

std::optional<CriticalTrack::Stall> CriticalTrack::look(Held held, int64_t now) {
  std::optional<Stall> over;
  if (stall_ && (held != stall_->kind || is_collected())) {
    over = break_off(now);
    last_look_ = std::max(last_look_, over->end_ticks);
  }
  if (!stall_ && held != Held::kNo) begin(held, now);
  last_look_ = now;
  return over;
}

// The next collection may be asked for before anybody looks.
bool CriticalTrack::is_collected() const {
  return stall_->kind == Held::kAsks && stall_->collection &&
         (stall_->collection->parts.ended != 0 || last_->number != stall_->collection->number);
}

void CriticalTrack::begin(Held held, int64_t now) {
  stall_ = Stall{};
  stall_->kind = held;
  stall_->from_ticks = last_look_ == 0 ? now : last_look_;
  stall_->seen_ticks = now;
  stall_->first_look = last_look_ == 0;
  if (!last_) return;
  if (held == Held::kAsks && last_->parts.ended != 0)  // that one was over when this was asked for
    stall_->from_ticks = std::clamp(last_->parts.ended, stall_->from_ticks, now);
  else
    note_collection();
}

// The one that was going on, or over, when it was seen, and no older one.
void CriticalTrack::note_giving_up() {
  const SafepointParts& parts = last_->parts;
  const bool is_older = parts.ended != 0 && parts.ended < stall_->from_ticks;
  if (is_older || parts.reached == 0 || parts.reached > stall_->seen_ticks) return;
  stall_->gave_up = last_;
  stall_->from_ticks = stall_->seen_ticks = parts.reached;
}

void CriticalTrack::note_inside(bool somebody, int64_t now) {
  if (somebody) {
    stall_->inside_ticks = now;
    stall_->left_ticks = 0;
  } else if (stall_->inside_ticks != 0 && stall_->left_ticks == 0) {
    stall_->left_ticks = now;
  }
}

std::optional<CriticalTrack::Stall> CriticalTrack::break_off(int64_t now) {
  if (!stall_) return std::nullopt;
  Stall over = end(now);
  stall_.reset();
  return over;
}

// The last one who leaves lets the collection be asked for; where that is not known, he was seen to leave.
CriticalTrack::Stall CriticalTrack::end(int64_t now) {
  Stall& stall = *stall_;
  // Somebody was inside afterwards: another safepoint, and this one's was not seen.
  const bool is_other = stall.collection && stall.collection->parts.asked <= stall.inside_ticks;
  if (is_other && stall.kind == Held::kGaveUp) stall.collection.reset();
  const int64_t asked = stall.collection ? stall.collection->parts.asked : 0;
  const int64_t ended = stall.collection ? stall.collection->parts.ended : 0;
  stall.end_ticks = ended == 0 ? now : ended;
  stall.held_until_ticks = stall.left_ticks != 0 ? stall.left_ticks : stall.end_ticks;
  if (asked > stall.inside_ticks && asked > stall.from_ticks)
    stall.held_until_ticks = std::min(asked, stall.held_until_ticks);
  const LikelyStart start = likely_start(stall.from_ticks, stall.seen_ticks, stall.held_until_ticks);
  stall.start_ticks = start.ticks;
  stall.start_error_ns = start.error_ns;
  return stall;
}

}  // namespace rec::agent
