// SPDX-License-Identifier: Apache-2.0
// EventWalk goes through the events of a chunk in file order, by their sizes.
//
// Metadata and checkpoints are events too (type ids 0 and 1) and come out. An event that cannot be (size 0, or larger
// than what is left) is noted as a problem; the walk goes on at the next anchor, a place where an event is known to
// start, and ends when there is none. Allocates nothing unless it meets damage.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "format/header_layout.h"
#include "format/reader/cursor.h"
#include "format/reader/problems.h"

namespace jfr::read {

struct Event {
  uint64_t type_id = 0;
  uint64_t at = 0;    // of its size, in the chunk
  uint64_t size = 0;  // that included
  uint64_t body = 0;  // where its fields start, in the chunk
};

// Size and type at their longest.
inline constexpr uint64_t kLongestEventHead = 18;

enum class EventFault : uint8_t { kNone, kTooLong, kTooSmall };  // too small: for its own head

// Reads size and type of the event that `in` stands at, and stands at its fields then. left: bytes from there to the
// end of the events; of these `in` need not hold more than the head.
inline EventFault read_event_head(Cursor& in, uint64_t left, Event& event) {
  event.at = in.at();
  event.size = in.leb();
  event.type_id = in.leb();
  event.body = in.at();
  if (!in.ok() || event.size > left) return EventFault::kTooLong;
  return event.body - event.at > event.size ? EventFault::kTooSmall : EventFault::kNone;
}

class EventWalk {
 public:
  struct Damage {
    uint64_t offset_in_file = 0;                     // of the chunk
    Problems* problems = nullptr;                    // may be null: then nothing is noted
    bool tail_is_cut = false;                        // the chunk ends early, and that has been noted
    std::function<std::vector<uint64_t>()> anchors;  // ascending; asked for at most once
  };

  EventWalk(std::span<const uint8_t> chunk, uint64_t from, Damage damage);
  bool next(Event& event);

 private:
  bool resume(const char* what, uint64_t size);

  std::span<const uint8_t> chunk_;
  uint64_t at_;
  Damage damage_;
  std::optional<std::vector<uint64_t>> anchors_;  // once they have been asked for
};

}  // namespace jfr::read
