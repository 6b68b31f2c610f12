// SPDX-License-Identifier: Apache-2.0
#include "format/reader/event_walk.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace jfr::read {

using base::Error;
using base::ErrorCode;

EventWalk::EventWalk(std::span<const uint8_t> chunk, uint64_t from, Damage damage)
    : chunk_(chunk), at_(from), damage_(std::move(damage)) {}

bool EventWalk::next(Event& event) {
  while (at_ < chunk_.size()) {
    Cursor in(chunk_, at_);
    const EventFault fault = read_event_head(in, chunk_.size() - at_, event);
    if (fault == EventFault::kNone) {
      at_ += event.size;
      return true;
    }
    const bool too_long = fault == EventFault::kTooLong;
    if (!resume(too_long ? "event does not fit into the chunk" : "event is smaller than its own head", event.size))
      return false;
  }
  return false;
}

// Moves to the next anchor. False when the walk is over.
bool EventWalk::resume(const char* what, uint64_t size) {
  assert(at_ < chunk_.size() && "what is behind the chunk is no damage");
  const uint64_t damaged = at_;
  at_ = chunk_.size();
  if (damage_.anchors) {
    if (!anchors_) anchors_ = damage_.anchors();
    const auto next = std::upper_bound(anchors_->begin(), anchors_->end(), damaged);
    if (next != anchors_->end()) at_ = *next;
  }
  const bool expected = damage_.tail_is_cut && at_ == chunk_.size();
  if (damage_.problems != nullptr && !expected)
    damage_.problems->add(Error{ErrorCode::kCorrupt, damage_.offset_in_file + damaged,
                                std::string(what) + " (it claims " + std::to_string(size) + " bytes), " +
                                    std::to_string(at_ - damaged) + " bytes are passed over"});
  return at_ < chunk_.size();
}

}  // namespace jfr::read
