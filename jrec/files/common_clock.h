// SPDX-License-Identifier: Apache-2.0
// CommonClock is what the chunks of several programs are put on, so that one file has one clock.
//
// Every chunk has a clock of its own in its header, but the reader of JDK 25 shows all chunks of a file by the
// first one's. A tick of the common clock is a nanosecond; its zero lies a day before the file's first chunk, so that
// ticks stay short on the wire.
//
//   const CommonClock clock(start_ns of the first chunk);
//   clock.put_into(header, start_ns)             the header of a chunk that goes by it
//   CommonTicks ticks(clock, its clock, metadata);
//   ticks.copy_event(in, type, out)              the fields of an event or, with copy_value, a constant's value
//
// What times mean stays the same to the nanosecond; readers that count in doubles are up to 32 ns off where chunks are
// years apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/header_layout.h"
#include "format/reader/chunk_header.h"
#include "format/reader/cursor.h"
#include "format/reader/metadata.h"
#include "jrec/files/clipped_header.h"
#include "jrec/files/wire_bytes.h"

namespace jrec {

class CommonClock {
 public:
  explicit CommonClock(int64_t first_start_ns);

  int64_t ticks_of(int64_t unix_ns) const;
  HeaderBytes header(const HeaderBytes& old, int64_t start_ns) const;

 private:
  int64_t zero_ns_;
};

// Copies values of one chunk, with the ticks in them turned into common ones: startTime and duration of events, and
// fields that say that they are ticks. Numbers that stand for "never" and "forever" stay. Both copies return false, and
// have put what is of no use, when the value cannot be decoded.
class CommonTicks {
 public:
  CommonTicks(const CommonClock& to, const jfr::read::Clock& from, const jfr::read::Metadata& metadata);

  int64_t moment(int64_t ticks) const;
  int64_t span(int64_t ticks) const;

  // in: the fields, and nothing behind the event.
  bool copy_event(jfr::read::Cursor in, const jfr::read::Type& type, WireBytes& out) const;
  bool copy_value(jfr::read::Cursor in, const jfr::read::Type& type, WireBytes& out) const;

 private:
  bool holds_ticks(uint32_t type, std::vector<uint8_t>& state);
  bool has_ticks(const jfr::read::Type& type) const;
  void value(jfr::read::Cursor& in, const jfr::read::Type& type, WireBytes& out) const;
  void field(jfr::read::Cursor& in, const jfr::read::Field& field, WireBytes& out) const;

  const CommonClock& to_;
  const jfr::read::Clock& from_;
  const jfr::read::Metadata& metadata_;
  std::vector<bool> has_ticks_;  // by type
};

}  // namespace jrec
