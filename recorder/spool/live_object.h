// SPDX-License-Identifier: Apache-2.0
// An object that is alive, as an event of kind kLiveObject: what was known when it was sampled is in a DetailFact, what
// changes while it lives in the event's value.
//
//   places in the spool, one an object  -- the recording's end, or a dump -->  events in the log, in one batch
//                                       -- recovery of a dead process     -->  likewise, those that were there
//
//   value:  63            54 53        48 47                                 0
//           +---------------+------------+------------------------------------+
//           | collections   | doublings  | address; 0: not looked at          |
//           +---------------+------------+------------------------------------+
//
// doublings: how often the weight was doubled, because the object stands for others there was no room for.
//
// Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec {

inline constexpr uint32_t kLiveSlots = 2048;  // places in the spool

struct LiveObject {
  int64_t allocated_ticks = 0;
  uint64_t size = 0;             // bytes
  uint64_t heap_used = 0;        // bytes in use after the collection before its allocation; 0: not known
  uint64_t weight = 0;           // bytes of live objects that it stands for, not yet doubled
  int32_t elements = INT32_MIN;  // of an array; INT32_MIN: it is none, as JFR has it
};

inline DetailShape live_shape(const LiveObject& object, Ref<ClassFact> klass) {
  DetailShape shape{.klass = klass};
  shape.numbers = {static_cast<uint64_t>(object.allocated_ticks), object.size, object.heap_used, object.weight,
                   static_cast<uint32_t>(object.elements)};
  return shape;
}
inline LiveObject live_object(const DetailShape& shape) {
  return {static_cast<int64_t>(shape.numbers[0]), shape.numbers[1], shape.numbers[2], shape.numbers[3],
          static_cast<int32_t>(shape.numbers[4])};
}

inline constexpr uint32_t kMostCollections = (1u << 10) - 1;  // more are as many
inline constexpr uint32_t kMostDoublings = (1u << 6) - 1;

constexpr uint64_t live_value(uint32_t collections, uint32_t doublings, uint64_t address) {
  const uint64_t survived = collections < kMostCollections ? collections : kMostCollections;
  const uint64_t doubled = doublings < kMostDoublings ? doublings : kMostDoublings;
  return survived << 54 | doubled << 48 | (address & ((uint64_t{1} << 48) - 1));
}
constexpr uint32_t live_collections(uint64_t value) { return static_cast<uint32_t>(value >> 54); }
constexpr uint32_t live_doublings(uint64_t value) { return static_cast<uint32_t>(value >> 48 & kMostDoublings); }
constexpr uint64_t live_address(uint64_t value) { return value & ((uint64_t{1} << 48) - 1); }

}  // namespace rec
