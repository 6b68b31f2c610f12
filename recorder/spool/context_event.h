// SPDX-License-Identifier: Apache-2.0
// The request that an event was taken in, as an event of kind kContext in the slot in front of it. Thread and time are those
// of the event, so the slot has room for the ids, 16 bytes of the trace and 8 of the span as W3C Trace Context orders them,
// and for the span's name: a Ref of the EncodedFact that is that text (Epoch::tag_text()), nothing if it has none. Where a tracer
// tells attributes of the request, that fact is of type kAttributesFact, and its text ContextRefs and the attributes behind them, as
// they stand in memory (OTEP 4947: index, length, value, ...).
//
//   +------+-------+--------+-------------+-----------------------------------+
//   | kind | check | name   | span id     | trace id                          |
//   +------+-------+--------+-------------+-----------------------------------+
//   0      1       4        8             16                                  32
//
// An id of zeros says: none.
//
// Signal-safe.
#pragma once

#include <array>
#include <cstdint>

#include "recorder/spool/event_log.h"

namespace rec {

// Trace, then span: the bytes as they stand in memory.
using ContextWords = std::array<uint64_t, 3>;

inline constexpr uint32_t kAttributesFact = 1;  // EncodedFact::type, which is 0 for a text alone
struct ContextRefs {
  Ref<EncodedFact> name, keys;  // keys: the attributes' names by index, each behind its length in a byte
};
static_assert(sizeof(ContextRefs) == 8, "it lies in spools");

inline Event context_event(const ContextWords& words, Ref<EncodedFact> name = {}) {
  Event event;
  event.kind = EventKind::kContext;
  event.thread.unit = name.unit;
  event.ticks = static_cast<int64_t>(words[0]);
  event.value = words[1];
  event.stack.unit = static_cast<uint32_t>(words[2]);
  event.other = static_cast<uint32_t>(words[2] >> 32);
  return event;
}
inline ContextWords context_words(const Event& event) {
  return {static_cast<uint64_t>(event.ticks), event.value, event.stack.unit | uint64_t{event.other} << 32};
}
inline Ref<EncodedFact> context_name(const Event& event) { return {event.thread.unit}; }

}  // namespace rec
