// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/lasting_events.h"

#include <algorithm>
#include <cmath>

#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"
#include "jrec/profile/sample_kind.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

// One that can be written anew; -1: there is none of that name.
int number_field(const Type& type, std::string_view name) {
  const int index = integer_field(type, name);
  if (index < 0) return -1;
  const Kind kind = type.fields[static_cast<size_t>(index)].kind;
  return kind == Kind::kLong || kind == Kind::kInt ? index : -1;
}

bool is_ticks(const Type& type, int field) {
  return type.fields[static_cast<size_t>(field)].meaning == Meaning::kTimespanTicks;
}

}  // namespace

bool lasts(std::string_view event_type) { return weight_unit(event_type, false) == "ns" || event_type == kWallType; }

const EventPart::Number* EventPart::of(int field) const {
  const auto found = std::ranges::find(numbers, field, &Number::field);
  return found == numbers.end() ? nullptr : &*found;
}

void LastingEvents::begin(Chunk& chunk) {
  chunk_ = &chunk;
  kinds_.clear();
  for (const Type& type : chunk.metadata().types())
    if (lasts(type.name) && type.decodable()) add_kind(type);
  restart();
}

void LastingEvents::restart() {
  parts_.clear();
  for (auto& [id, kind] : kinds_) kind.clip = SpanClip(chosen_);
}

void LastingEvents::add_kind(const Type& type) {
  Kind kind;
  kind.time = number_field(type, "startTime");
  kind.weight = number_field(type, weight_field(type.name).name);
  kind.weight_is_time = weight_field(type.name).is_duration;
  if (kind.time < 0 || kind.weight < 0 || constant_field(type, "stackTrace") < 0) return;
  if (!kind.weight_is_time) {
    kind.span = number_field(type, "timeSpan");
    find_period(type);
  }
  kinds_.emplace(type.id, kind);
}

void LastingEvents::find_period(const Type& type) {
  period_.enter(*chunk_, type.name);
  auto walk = chunk_->events();
  for (Event event; walk.next(event);) period_.see(*chunk_, event);
}

bool LastingEvents::take(const Event& event, const Type& type) {
  Kind& kind = kinds_.at(type.id);
  const int64_t told = number(event, type, kind.weight);
  if (told < 0) return chosen_.holds(chunk_->clock().unix_ns(number(event, type, kind.time)));
  Part part;
  part.from_ns = chunk_->clock().unix_ns(number(event, type, kind.time));
  part.weight = static_cast<uint64_t>(kind.weight_is_time ? chunk_->clock().nearest_span_ns(told) : told);
  const uint64_t period_ns = period_.changes() ? period_.ns_at(part.from_ns) : period_.ns();
  part.length_ns = length_ns(part.weight, kind.weight_is_time, 0, period_ns);
  const Part whole = part;
  if (!kind.clip.take(part.from_ns, part.length_ns, part.weight)) return false;
  note(event, type, kind, whole, part);
  return true;
}

const EventPart* LastingEvents::part_of(const Event& event) const {
  const auto found = parts_.find(event.at);
  return found == parts_.end() ? nullptr : &found->second;
}

void LastingEvents::note(const Event& event, const Type& type, const Kind& kind, const Part& whole, const Part& part) {
  EventPart changed;
  if (part.from_ns != whole.from_ns) {
    const auto later_ns = static_cast<uint64_t>(part.from_ns) - static_cast<uint64_t>(whole.from_ns);
    const auto ticks =
        static_cast<uint64_t>(number(event, type, kind.time)) + static_cast<uint64_t>(ticks_of(later_ns));
    changed.numbers.push_back({kind.time, static_cast<int64_t>(ticks)});
  }
  if (part.weight != whole.weight)
    changed.numbers.push_back(
        {kind.weight, kind.weight_is_time ? ticks_of(part.weight) : static_cast<int64_t>(part.weight)});
  const int64_t span = kind.span < 0 ? 0 : number(event, type, kind.span);
  if (span > 0) {
    const bool in_ticks = is_ticks(type, kind.span);
    const auto span_ns = static_cast<uint64_t>(in_ticks ? chunk_->clock().nearest_span_ns(span) : span);
    Part looks{whole.from_ns, span_ns, 0};
    if (!SpanClip(chosen_).take(looks.from_ns, looks.length_ns, looks.weight)) looks.length_ns = 0;
    if (looks.length_ns != span_ns)
      changed.numbers.push_back(
          {kind.span, in_ticks ? ticks_of(looks.length_ns) : static_cast<int64_t>(looks.length_ns)});
  }
  if (!changed.numbers.empty()) parts_[event.at] = std::move(changed);
}

int64_t LastingEvents::number(const Event& event, const Type& type, int field) const {
  Cursor in = chunk_->field(event, type, field);
  const int64_t value = read_integer(in, type.fields[static_cast<size_t>(field)].kind);
  return in.ok() ? value : -1;
}

int64_t LastingEvents::ticks_of(uint64_t ns) const {
  return std::llround(static_cast<double>(ns) * static_cast<double>(chunk_->header().ticks_per_second) / 1e9);
}

}  // namespace jrec
