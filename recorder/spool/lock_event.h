// SPDX-License-Identifier: Apache-2.0
// A wait, as an event of kind kMonitorEnter, kMonitorWait, kThreadPark, kThreadSleep or kThreadPinned: what a slot has no
// room for is in a DetailFact, with the class of what was waited for, the owner (kThreadPinned: the carrier), and the
// owner's stack. Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec {

inline constexpr int64_t kNoTime = INT64_MIN;  // as JFR has it

struct LockEvent {
  uint64_t address = 0;       // of the monitor, or of the object
  int64_t timeout = kNoTime;  // kMonitorWait: ms; kThreadPark, kThreadSleep: ns
  int64_t until = kNoTime;    // kThreadPark: ms since 1970
  bool timed_out = false;     // kMonitorWait
};

inline DetailShape lock_shape(const LockEvent& event) {
  DetailShape shape;
  shape.numbers = {event.address, static_cast<uint64_t>(event.timeout), static_cast<uint64_t>(event.until),
                   event.timed_out};
  return shape;
}
inline LockEvent lock_event(const DetailShape& shape) {
  return {shape.numbers[0], static_cast<int64_t>(shape.numbers[1]), static_cast<int64_t>(shape.numbers[2]),
          shape.numbers[3] != 0};
}

}  // namespace rec
