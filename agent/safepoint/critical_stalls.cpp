// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/critical_stalls.h"

#include <utility>

namespace rec::agent {

std::optional<CriticalTrack::Stall> CriticalStalls::look(int64_t now) {
  const std::optional<CriticalTrack::Stall> over = if_long(track_.look(words_.held(), now));
  const auto& stall = track_.goes_on();
  if (!stall) return over;
  if (!going_on_ && now - stall->from_ticks >= settings_.patience_ns() / kListShare)
    going_on_ = std::make_unique<CriticalThreads>(tools_, stall->kind, stall->from_ticks);
  if (!going_on_) return over;
  going_on_->look(now);
  track_.note_inside(going_on_->somebody_inside(), now);
  return over;
}

std::optional<CriticalTrack::Stall> CriticalStalls::break_off(int64_t now) { return if_long(track_.break_off(now)); }

std::optional<CriticalTrack::Stall> CriticalStalls::if_long(std::optional<CriticalTrack::Stall> stall) {
  if (!stall) return stall;
  over_ = std::move(going_on_);
  if (stall->held_until_ticks - stall->start_ticks < settings_.threshold_ns) return std::nullopt;
  // Who asked was not given a CPU, and nobody had to leave.
  const bool by_others = stall->kind == CriticalWords::Held::kAsks && words_.knows_inside() && over_ != nullptr &&
                         over_->nobody_was_inside(stall->held_until_ticks);
  return by_others ? std::nullopt : stall;
}

bool CriticalStalls::write(const CriticalTrack::Stall& stall, LockerStall event) {
  if (!over_) over_ = std::make_unique<CriticalThreads>(tools_, stall.kind, stall.start_ticks);
  event.id = ++stalls_;
  event.start_ticks = stall.start_ticks;
  event.start_error_ns = stall.start_error_ns;
  event.duration_ns = stall.end_ticks - stall.start_ticks;
  event.held_ns = stall.held_until_ticks - stall.start_ticks;
  event.safepoint_id = stall.collection ? static_cast<int64_t>(stall.collection->number) : 0;
  over_->finish(stall, event);
  if (!event.over)
    event.remark = "the recording ended before it was over";
  else if (stall.first_look && !stall.gave_up)
    event.remark = "it began before the recording";
  else if (event.inside == 0)
    event.remark = words_.knows_inside() ? "it was over before the threads were looked at"
                                         : "this VM does not tell who is inside a JNI critical section";
  const bool written = over_->commit(event);
  over_.reset();
  return written;
}

}  // namespace rec::agent
