// SPDX-License-Identifier: Apache-2.0
#include "format/archive/event_times.h"

#include <algorithm>

#include "format/archive/member.h"
#include "format/reader/chunk.h"

namespace jfr::archive {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

// The field is the first one of events, as HotSpot and all others write it, and in ticks.
bool has_time_in_front(const Type& type) {
  return type.field("startTime") == 0 && type.fields[0].kind == Kind::kLong &&
         (type.fields[0].meaning == Meaning::kTimestampTicks || type.fields[0].meaning == Meaning::kPlain);
}

struct Ticks {
  int64_t first = INT64_MAX, last = INT64_MIN;
  bool known = true;

  void add(int64_t at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
};

Ticks ticks_of(Chunk& chunk) {
  Ticks ticks;
  jfr::read::EventWalk events = chunk.events();
  Event event;
  while (events.next(event)) {
    const Type* type = chunk.type_of(event);
    if (type == nullptr || !type->event) continue;
    if (!has_time_in_front(*type)) return {0, 0, false};
    Cursor in = chunk.body(event);
    ticks.add(static_cast<int64_t>(in.leb()));
    if (!in.ok()) return {0, 0, false};
  }
  return ticks;
}

uint64_t distance(int64_t from, int64_t to) {
  return from < to ? static_cast<uint64_t>(to) - static_cast<uint64_t>(from) : 0;
}

}  // namespace

EventReach event_reach(std::span<const uint8_t> bytes) {
  jfr::read::Problems problems;
  const auto extent = jfr::read::ChunkScanner(bytes, problems).next();
  if (!extent) return {kNobodyKnows, kNobodyKnows};
  Chunk chunk(bytes, *extent, problems);
  const Ticks ticks = ticks_of(chunk);
  if (!ticks.known || !problems.empty()) return {kNobodyKnows, kNobodyKnows};
  if (ticks.first > ticks.last) return {};
  const int64_t start = chunk.header().start_ns;
  int64_t end = start;
  if (__builtin_add_overflow(start, std::max<int64_t>(0, chunk.header().duration_ns), &end)) end = INT64_MAX;
  return {distance(chunk.clock().unix_ns(ticks.first), start), distance(end, chunk.clock().unix_ns(ticks.last))};
}

}  // namespace jfr::archive
