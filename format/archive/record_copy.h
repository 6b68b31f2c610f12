// SPDX-License-Identifier: Apache-2.0
// Most events are a few integers, one behind the other. Their type is a list of copies, made once, by which records
// are taken apart and put together in one pass each:
//
//   jdk.GCPhasePause { startTime, duration, eventThread, gcId }   ->   time #7, leb #8, leb #9, leb #10
//
//   take_record   record -> columns     reads it whole before it puts anything: what is odd leaves no trace
//   make_record   columns -> record     writes without asking for room, which was made for the longest such record
#pragma once

#include <cstdint>
#include <span>

#include "format/archive/event_clock.h"
#include "format/archive/stream.h"

namespace jfr::archive {

// One value, and the stream of numbers that it goes to.
struct ColumnCopy {
  enum class Kind : uint8_t {
    kLeb,       // an integer
    kTime,      // the start of an event (event_clock.h)
    kDuration,  // an integer: how long that event took
    kFixed,     // `width` bytes, big-endian
  };
  Kind kind = Kind::kLeb;
  uint8_t width = 0;
  uint32_t stream = 0;
};

inline constexpr size_t kMostCopies = 64;  // of one type: longer ones go step by step

// How many bytes the longest record of that type has, behind its size and type.
constexpr size_t longest_record(std::span<const ColumnCopy> copies) { return base::kLebMostBytes * copies.size(); }

// False: this body would not come back to the byte.
bool take_record(std::span<const uint8_t> body, std::span<const ColumnCopy> copies, Streams& streams,
                 EventClock& clock);

// To where longest_record() may be written. Returns what is behind it; streams.ok() tells whether it is one.
uint8_t* make_record(std::span<const ColumnCopy> copies, Streams& streams, EventClock& clock, uint8_t* to);

}  // namespace jfr::archive
