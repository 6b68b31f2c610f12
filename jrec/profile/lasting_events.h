// SPDX-License-Identifier: Apache-2.0
// LastingEvents takes of the events that last (waits, looks of the wall clock) the part that is in a chosen time, as stacks do
// (span_clip.h), for who writes the events of that time as a recording: what is counted there is what is counted here.
//
//   LastingEvents lasting(chosen);
//   lasting.begin(chunk);                                    once a chunk: finds the types and the period of the wall clock
//   if (lasting.has(type) && lasting.take(event, type)) ...  each event, in order: whether some of it is in that time
//   lasting.part_of(event)                                   null: all of it. Else what to write
//
// Memory: some 100 bytes an event that crosses an end of the time.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/key_hash.h"
#include "jrec/profile/sample_period.h"
#include "jrec/profile/span_clip.h"

namespace jrec {

// Whether events of that type last: what they weigh is their time, or tells for how many looks they stand.
bool lasts(std::string_view event_type);

// For how long, in nanoseconds. own_ns: as the event tells by itself, else 0.
inline uint64_t length_ns(uint64_t weight, bool weight_is_time, uint64_t own_ns, uint64_t period_ns) {
  return weight_is_time ? weight : own_ns != 0 ? own_ns : weight * period_ns;
}

// Numbers of an event that are others in its part.
struct EventPart {
  struct Number {
    int field;
    int64_t value;  // as it is to be written
  };
  std::vector<Number> numbers;

  const Number* of(int field) const;
};

class LastingEvents {
 public:
  explicit LastingEvents(const TimeRange& chosen) : chosen_(chosen) {}

  void begin(jfr::read::Chunk& chunk);
  void restart();  // from the chunk's first event again

  bool has(const jfr::read::Type& type) const { return kinds_.contains(type.id); }
  bool take(const jfr::read::Event& event, const jfr::read::Type& type);
  const EventPart* part_of(const jfr::read::Event& event) const;

 private:
  struct Kind {
    int time = -1, weight = -1, span = -1;  // span: how long the looks took, where that is told beside their number
    bool weight_is_time = false;
    SpanClip clip;
  };
  struct Part {
    int64_t from_ns = 0;
    uint64_t length_ns = 0, weight = 0;
  };
  void add_kind(const jfr::read::Type& type);
  void find_period(const jfr::read::Type& type);
  int64_t number(const jfr::read::Event& event, const jfr::read::Type& type, int field) const;
  int64_t ticks_of(uint64_t ns) const;
  void note(const jfr::read::Event& event, const jfr::read::Type& type, const Kind& kind, const Part& whole,
            const Part& part);

  TimeRange chosen_;
  jfr::read::Chunk* chunk_ = nullptr;
  std::unordered_map<uint64_t, Kind> kinds_;  // by the type's id
  SamplePeriod period_;
  std::unordered_map<uint64_t, EventPart, jfr::read::KeyHash> parts_;  // by where the event stands
};

}  // namespace jrec
