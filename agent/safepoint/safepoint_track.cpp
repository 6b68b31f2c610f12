// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/safepoint_track.h"

#include <algorithm>

namespace rec::agent {
namespace {

bool is_exact(SafepointPhase phase) { return phase > SafepointPhase::kMoving; }

SafepointTrack::Stop stop_of(const SafepointLook& look) {
  return {look.counts.requested, look.parts, look.type, look.caller, look.threads, look.running};
}

}  // namespace

void SafepointTrack::begin(const SafepointLook& look, int64_t now) {
  seen_ = look.counts;
  last_look_ = now;
  const bool waits = look.phase == SafepointPhase::kPending;
  reached_ = seen_.requested - (waits ? 1 : 0);
  const bool goes_on = is_exact(look.phase) && look.phase != SafepointPhase::kNone;
  over_ = seen_.requested - (goes_on ? 1 : 0);
}

SafepointTrack::News SafepointTrack::look(const SafepointLook& look, int64_t now) {
  News news;
  if (look.phase == SafepointPhase::kMoving) return news;
  if (!is_exact(look.phase)) {
    look_by_counts(look.counts, now, news);
  } else {
    // All stand, and the JVM has not added it to its sum: the next look knows.
    const int64_t own_ns = look.parts.reached - look.parts.asked;
    const auto sum_ns = static_cast<int64_t>(look.counts.sync_ns - seen_.sync_ns);
    const bool is_new = look.counts.requested != reached_;
    if (look.phase != SafepointPhase::kPending && is_new && sum_ns < own_ns) return news;
    follow_stop(look, news);
    look_exactly(look, now, news);
  }
  seen_ = look.counts;
  last_look_ = now;
  return news;
}

void SafepointTrack::look_exactly(const SafepointLook& look, int64_t now, News& news) {
  const SafepointCounts& counts = look.counts;
  const bool waits = look.phase == SafepointPhase::kPending;
  const uint64_t reached = counts.requested - (waits ? 1 : 0);
  if (const auto count = static_cast<int64_t>(reached - reached_); count > 0) {
    Reached all{reached_ + 1, count, static_cast<int64_t>(counts.sync_ns - seen_.sync_ns), last_look_, now, {}};
    if (request_)
      all.from_ticks = request_->from_ticks, all.seen_ticks = request_->seen_ticks, all.type = request_->type;
    const int64_t own_ns = look.parts.reached - look.parts.asked;
    const Reached last{reached, 1, own_ns, look.parts.asked, look.parts.asked, look.type};
    if ((waits || count > 1) && counts.has_sums) {  // some that the words do not speak of
      if (!waits) --all.count, all.length_ns -= own_ns;
      if (all.count > 1) all.type.reset();
      news.reached.push_back(all);
    }
    if (!waits) news.reached.push_back(last);
    if (!counts.has_sums) note_unsummed(count - (waits ? 0 : 1), look, news);
  }
  reached_ = reached;
  if (!waits)
    request_.reset();
  else if (!request_ || request_->number != counts.requested)
    request_ = Request{counts.requested, counts.sync_ns, look.parts.asked, look.parts.asked, true, false, look.type};
}

// Of those between two looks nothing is known but that they had no longer than that, all together.
void SafepointTrack::note_unsummed(int64_t count, const SafepointLook& look, News& news) const {
  if (count <= 0) return;
  const int64_t from = request_ ? request_->seen_ticks : last_look_;
  news.unsummed += static_cast<uint64_t>(count);
  news.unsummed_ns = std::max<int64_t>(news.unsummed_ns, look.parts.asked - from);
}

// The words of one that is over stay until the next begins, and that one's tell when the one before was over.
void SafepointTrack::follow_stop(const SafepointLook& look, News& news) {
  const uint64_t number = look.counts.requested;
  const bool over = look.phase == SafepointPhase::kNone;
  int64_t lost_ns = 0;
  if (now_ && now_->number + 1 == number) {
    now_->parts.ended = look.parts.ended_before;
    news.stops.push_back(*now_);
  } else if (now_ && now_->number != number && now_->parts.reached != 0) {
    lost_ns = now_->parts.reached - now_->parts.asked;  // its sum was seen before
  }
  if (over && number > over_) {
    Stop stop = stop_of(look);
    if (now_ && now_->number == number) stop.caller = now_->caller;  // nobody asks any more when it is over
    news.stops.push_back(stop);
  }
  const uint64_t all_over = number - (over ? 0 : 1);
  news.stops_unseen = all_over - over_ - news.stops.size();
  if (news.stops_unseen > 0 && !look.counts.has_sums)
    news.unseen_ns = look.parts.asked - last_look_ + lost_ns;
  else if (news.stops_unseen > 0)
    news.unseen_ns =
        lost_ns + static_cast<int64_t>(look.counts.stopped_ns - seen_.stopped_ns + look.counts.sync_ns - seen_.sync_ns);
  over_ = all_over;
  if (over)
    now_.reset();
  else
    now_ = stop_of(look);
}

void SafepointTrack::look_by_counts(const SafepointCounts& counts, int64_t now, News& news) {
  if (!request_ && counts.requested != seen_.requested)
    request_ = Request{seen_.requested + 1, seen_.sync_ns, last_look_, now, true, false, {}};
  if (request_) forget_if_over(counts, now);
  if (request_ && !waits(counts)) settle(counts, now, news);
}

// One that may have been over, was, when another is asked for and none was reached since: two are never under way.
void SafepointTrack::forget_if_over(const SafepointCounts& counts, int64_t now) {
  if (request_->certain || counts.requested == request_->number || counts.sync_ns != request_->sync_ns) return;
  const bool certain = counts.requested == request_->number + 1;
  request_ = Request{counts.requested, counts.sync_ns, last_look_, now, certain, false, {}};
}

// The request is over, perhaps others after it, and the last of these may be under way.
void SafepointTrack::settle(const SafepointCounts& counts, int64_t now, News& news) {
  if (request_->doubted && counts.requested != request_->number)  // it was over, then
    request_ = Request{request_->number + 1, request_->sync_ns, last_look_, now, true, false, {}};
  const auto length_ns = static_cast<int64_t>(counts.sync_ns - request_->sync_ns);
  const auto count = static_cast<int64_t>(counts.requested - request_->number) + 1;
  news.reached.push_back({request_->number, count, length_ns, request_->from_ticks, request_->seen_ticks, {}});
  if (count == 1)
    request_.reset();
  else
    request_ = Request{counts.requested, counts.sync_ns, last_look_, now, false, false, {}};
}

}  // namespace rec::agent
