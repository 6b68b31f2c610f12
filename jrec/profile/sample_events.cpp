// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_events.h"

#include <algorithm>
#include <string>

#include "format/reader/values.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_names.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Meaning;
using jfr::read::Type;

int integer_field(const Type& type, std::string_view name) {
  const int index = type.field(name);
  if (index < 0) return -1;
  const Field& field = type.fields[static_cast<size_t>(index)];
  return !field.array && !field.constant && is_integer(field.kind) ? index : -1;
}

int constant_field(const Type& type, std::string_view name) {
  const int index = type.field(name);
  if (index < 0) return -1;
  const Field& field = type.fields[static_cast<size_t>(index)];
  return field.constant && !field.array && field.type != jfr::read::kNoType ? index : -1;
}

}  // namespace

SampleLayout sample_layout(const Chunk& chunk, std::string_view event_type, bool count_samples, bool leave_cpu) {
  SampleLayout layout;
  const Type* type = chunk.metadata().find(event_type);
  if (type == nullptr || !type->decodable()) return layout;
  layout.stack = constant_field(*type, "stackTrace");
  if (layout.stack < 0) return layout;
  layout.type = type;
  layout.time = integer_field(*type, "startTime");
  layout.thread = constant_field(*type, "sampledThread");
  if (layout.thread < 0) layout.thread = constant_field(*type, "eventThread");
  const WeightField weight = weight_field(event_type);
  if (!count_samples) layout.weight = integer_field(*type, weight.name);
  layout.spans = weight.is_duration;
  layout.failed = integer_field(*type, "failed");
  layout.period = integer_field(*type, "samplingPeriod");
  if (!class_field(event_type).empty()) layout.about = constant_field(*type, class_field(event_type));
  if (leave_cpu) layout.state = constant_field(*type, "state");
  layout.last = std::max({layout.time, layout.thread, layout.stack, layout.weight, layout.failed, layout.period,
                          layout.about, layout.state});
  return layout;
}

bool SampleEvents::read(const Event& event, const SampleLayout& layout, Values& values) {
  Cursor in = chunk_.body(event);
  for (int i = 0; i <= layout.last; ++i) {
    const Field& field = layout.type->fields[static_cast<size_t>(i)];
    if (i == layout.stack)
      values.stack = in.leb();
    else if (i == layout.thread)
      values.thread = in.leb();
    else if (i == layout.about)
      values.about = in.leb();
    else if (i == layout.state)
      values.state = in.leb();
    else if (i == layout.time)
      values.time = read_integer(in, field.kind);
    else if (i == layout.weight)
      values.weight = read_integer(in, field.kind);
    else if (i == layout.failed)
      values.failed = read_integer(in, field.kind);
    else if (i == layout.period)
      values.period = read_integer(in, field.kind);
    else
      skip_field(in, chunk_.metadata(), field);
  }
  return in.ok();
}

void SampleEvents::add(const Event& event, const SampleLayout& layout) {
  Values values;
  if (!read(event, layout, values)) {
    chunk_.problems().add(jfr::Error{jfr::ErrorCode::kCorrupt, chunk_.offset_in_file() + event.at,
                                     std::string(layout.type->name) + " cannot be decoded, it is left out"});
    return;
  }
  if (values.failed != 0 || values.weight < 0) return;
  const auto key_of = [&](int field, uint64_t key) {
    return field < 0 ? Key{} : Key{layout.type->fields[static_cast<size_t>(field)].type, key};
  };
  if (layout.state >= 0 && is_cpu_state(key_of(layout.state, values.state))) return;
  if (layout.spans && layout.weight >= 0) values.weight = chunk_.clock().span_ns(values.weight);
  SampleEvent sample;
  sample.time_ns = layout.time < 0 ? chunk_.header().start_ns : time_of(layout, values.time);
  sample.weight = static_cast<uint64_t>(std::max<int64_t>(values.weight, 0));
  if (values.period > 0) sample.ns = static_cast<uint64_t>(chunk_.clock().span_ns(values.period));
  // An event without a class, key 0, has its stack alone.
  sample.node = stack_place({values.stack, values.about == 0 ? Key{} : key_of(layout.about, values.about)});
  stacks[sample.node].weight += sample.weight;
  ++stacks[sample.node].samples;
  sample.thread = thread_place(key_of(layout.thread, values.thread));
  samples.push_back(sample);
}

bool SampleEvents::is_cpu_state(const Key& state) {
  const auto [known, is_new] = cpu_states_.try_emplace(state, false);
  if (is_new) known->second = constant_name(chunk_, state.type, state.key) == "STATE_DEFAULT";
  return known->second;
}

int64_t SampleEvents::time_of(const SampleLayout& layout, int64_t value) const {
  if (layout.type->fields[static_cast<size_t>(layout.time)].meaning == Meaning::kTimestampMillis)
    return value > INT64_MAX / 1'000'000 || value < INT64_MIN / 1'000'000 ? 0 : value * 1'000'000;
  return chunk_.clock().unix_ns(value);
}

uint32_t SampleEvents::stack_place(const StackKey& key) {
  const auto [place, is_new] = stack_places_.try_emplace(key, static_cast<uint32_t>(stacks.size()));
  if (is_new) stacks.push_back({key.stack, key.about});
  return place->second;
}

uint32_t SampleEvents::thread_place(const Key& key) {
  const auto [place, is_new] = thread_places_.try_emplace(key, static_cast<uint32_t>(threads.size()));
  if (is_new) threads.push_back(key);
  return place->second;
}

}  // namespace jrec
