// SPDX-License-Identifier: Apache-2.0
// The request that an event was taken in, as an event of kind kContext in the slot in front of it. Thread and time are those
// of the event, so the slot has room for the ids, 16 bytes of the trace and 8 of the span as W3C Trace Context orders them:
//
//   +------+-------+--------+-------------+-----------------------------------+
//   | kind | check | unused | span id     | trace id                          |
//   +------+-------+--------+-------------+-----------------------------------+
//   0      1       4        8             16                                  32
//
// Signal-safe.
#pragma once

#include <array>
#include <cstdint>

#include "recorder/spool/event_log.h"

namespace rec {

// Trace, then span: the bytes as they stand in memory.
using ContextWords = std::array<uint64_t, 3>;

inline Event context_event(const ContextWords& words) {
  Event event;
  event.kind = EventKind::kContext;
  event.ticks = static_cast<int64_t>(words[0]);
  event.value = words[1];
  event.stack.unit = static_cast<uint32_t>(words[2]);
  event.other = static_cast<uint32_t>(words[2] >> 32);
  return event;
}
inline ContextWords context_words(const Event& event) {
  return {static_cast<uint64_t>(event.ticks), event.value, event.stack.unit | uint64_t{event.other} << 32};
}

}  // namespace rec
