// SPDX-License-Identifier: Apache-2.0
// CriticalTrack makes of looks at the VM's words when a collection was held up by JNI critical sections, until when, and
// which safepoints it was for. It looks at no thread: who does tells it whether somebody is inside.
//
//   kGaveUp   [safepoint, gives up] ....... held up ....... [safepoint, collects]
//   kAsks               asked for | .... held up .... [safepoint, collects]
//                                                     ^ the last thread has left
//
// Where the VM tells when its safepoints were, both ends are exact; else they are as exact as the looks.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/hotspot/state/critical_words.h"
#include "agent/hotspot/state/safepoint_words.h"

namespace rec::agent {

class CriticalTrack {
 public:
  struct Safepoint {
    uint64_t number = 0;
    uint32_t type = 0;  // of its operation
    SafepointParts parts;
  };
  // Times are CLOCK_MONOTONIC, ns.
  struct Stall {
    CriticalWords::Held kind = CriticalWords::Held::kNo;
    int64_t from_ticks = 0, seen_ticks = 0;  // it began between these; both are the same if the VM says when
    bool first_look = false;                 // it was there already
    std::optional<Safepoint> gave_up;        // the one that could not collect
    std::optional<Safepoint> collection;     // the last one since
    int64_t inside_ticks = 0;                // when somebody was last seen inside; 0: never
    int64_t left_ticks = 0;                  // when nobody was, after that; 0: not seen
    // When it is over:
    int64_t start_ticks = 0, start_error_ns = 0;
    int64_t held_until_ticks = 0, end_ticks = 0;
  };

  void note(const SafepointLook& look);  // before look(), if there is one
  // The stall that is over, if one is.
  std::optional<Stall> look(CriticalWords::Held held, int64_t now);
  void note_inside(bool somebody, int64_t now);  // goes_on()

  const std::optional<Stall>& goes_on() const { return stall_; }
  std::optional<Stall> break_off(int64_t now);  // that goes on, as if it were over

 private:
  void begin(CriticalWords::Held held, int64_t now);
  void note_collection();
  void note_giving_up();
  bool is_collected() const;
  Stall end(int64_t now);

  std::optional<Stall> stall_;
  std::optional<Safepoint> last_;  // of the VM
  int64_t last_look_ = 0;
};

}  // namespace rec::agent
