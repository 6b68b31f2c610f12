// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/chunk_content.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "format/header_layout.h"
#include "format/reader/field_value.h"
#include "jrec/input/constant_hash.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;
using jfr::read::Type;

constexpr int64_t kMostApart_ns = 2'000;  // of two readings of a chunk's clocks (running_clock.h)
constexpr int64_t kRounding_ns = 2;

std::optional<int64_t> time_of(Chunk& chunk, const Event& event, const Type* type) {
  if (type == nullptr || type->fields.empty() || type->fields[0].name != "startTime") return {};
  return chunk.clock().unix_ns(static_cast<int64_t>(chunk.body(event).leb()));
}

// Metadata and checkpoints may stand elsewhere.
bool next_event(jfr::read::EventWalk& events, Event& event) {
  while (events.next(event))
    if (event.type_id != jfr::kMetadataType && event.type_id != jfr::kCheckpointType) return true;
  return false;
}

// How far apart two events are that may be one; nothing: they are not.
std::optional<int64_t> apart(Chunk& ours, const Event& our_event, Chunk& theirs, const Event& their_event) {
  const Type *our_type = ours.type_of(our_event), *their_type = theirs.type_of(their_event);
  if (our_type == nullptr || their_type == nullptr || our_type->name != their_type->name) return {};
  const auto our_ns = time_of(ours, our_event, our_type), their_ns = time_of(theirs, their_event, their_type);
  if (!our_ns || !their_ns) return {};
  return *our_ns - *their_ns;
}

// What merge writes anew: ticks, and the number of the type that a setting is of.
bool is_rewritten(const Type& type, size_t field) {
  using jfr::read::Meaning;
  const Meaning meaning = type.fields[field].meaning;
  return meaning == Meaning::kTimestampTicks || meaning == Meaning::kTimespanTicks || field == 0 ||
         (field == 1 && type.fields[1].name == "duration") ||
         (type.name == "jdk.ActiveSetting" && type.fields[field].name == "id");
}

bool same_fields(Chunk& ours, const Event& our_event, Chunk& theirs, const Event& their_event) {
  const Type &type = *ours.type_of(our_event), &their_type = *theirs.type_of(their_event);
  if (type.fields.size() != their_type.fields.size()) return false;
  jfr::read::FieldReader our_fields(ours), their_fields(theirs);
  jfr::read::Cursor our_in = ours.body(our_event), their_in = theirs.body(their_event);
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const uint64_t our_at = our_in.at(), their_at = their_in.at();
    our_fields.take(our_in, type.fields[i]);
    their_fields.take(their_in, their_type.fields[i]);
    if (!our_in.ok() || !their_in.ok()) return false;
    if (!is_rewritten(type, i) && !std::ranges::equal(ours.bytes().subspan(our_at, our_in.at() - our_at),
                                                      theirs.bytes().subspan(their_at, their_in.at() - their_at)))
      return false;
  }
  return true;
}

// Of all constants' values, in any order; their types may have other numbers.
uint64_t sum_of_constants(Chunk& chunk) {
  uint64_t sum = 0;
  for_each_constant(chunk, [&](uint64_t, uint64_t content) { sum += content; });
  return sum;
}

bool all_events_are_same(Chunk& ours, Chunk& theirs) {
  jfr::read::EventWalk our_events = ours.events(), their_events = theirs.events();
  std::optional<int64_t> shift_ns;
  for (Event our_event, their_event;;) {
    const bool is_one = next_event(our_events, our_event), is_other = next_event(their_events, their_event);
    if (is_one != is_other) return false;
    if (!is_one) return shift_ns.has_value();
    const auto apart_ns = apart(ours, our_event, theirs, their_event);
    if (!apart_ns || std::abs(*apart_ns) > kMostApart_ns) return false;
    if (!shift_ns) shift_ns = apart_ns;
    if (std::abs(*apart_ns - *shift_ns) > kRounding_ns || !same_fields(ours, our_event, theirs, their_event))
      return false;
  }
}

}  // namespace

bool same_bytes(const Stretch& ours, const Stretch& theirs) {
  if (ours.bytes.size() < jfr::kHeaderSize || theirs.bytes.size() < jfr::kHeaderSize) return false;
  return std::ranges::equal(ours.bytes.subspan(jfr::kHeaderSize), theirs.bytes.subspan(jfr::kHeaderSize));
}

bool is_beginning_of(const Stretch& shorter, const Stretch& longer) {
  const size_t half = shorter.bytes.size() / 2;
  if (half <= jfr::kHeaderSize || longer.bytes.size() < half) return false;
  const size_t length = half - jfr::kHeaderSize;
  return std::ranges::equal(shorter.bytes.subspan(jfr::kHeaderSize, length),
                            longer.bytes.subspan(jfr::kHeaderSize, length));
}

bool same_events(Chunk& ours, Chunk& theirs) {
  return all_events_are_same(ours, theirs) && sum_of_constants(ours) == sum_of_constants(theirs);
}

}  // namespace jrec
