// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_reader.h"

#include <algorithm>
#include <string>

#include "format/reader/values.h"
#include "jrec/profile/leaked_memory.h"
#include "jrec/profile/malloc_weight.h"
#include "jrec/profile/plain_field.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_names.h"
#include "jrec/values/recorder.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Meaning;
using jfr::read::Type;

// rec's own recordings have no sample of the wall clock in other types.
bool tells_wall_apart(const Chunk& chunk) {
  return chunk.metadata().find(kWallType) != nullptr && recorder_of(chunk.metadata()) == Recorder::kRec;
}

// One that says that it has no sign, as events of a program's own may; what is beyond all weights is none.
int64_t weight_of(int64_t value, const Field& field) {
  return field.is_unsigned ? static_cast<int64_t>(jfr::read::unsigned_of(value, field.kind)) : value;
}

}  // namespace

std::optional<Content> weight_content(const Chunk& chunk, std::string_view event_type) {
  const Type* type = chunk.metadata().find(event_type);
  const int field = type == nullptr ? -1 : integer_field(*type, weight_field(event_type).name);
  if (field < 0) return std::nullopt;
  return content_of(type->fields[static_cast<size_t>(field)]);
}

std::string_view thread_field(const Type& type) {
  return type.field("sampledThread") < 0 ? "eventThread" : "sampledThread";
}

SampleLayout sample_layout(const Chunk& chunk, std::string_view event_type, bool count_samples, bool leave_cpu,
                           bool states) {
  SampleLayout layout;
  const Type* type = chunk.metadata().find(event_type);
  if (type == nullptr || !type->decodable()) return layout;
  if (leave_cpu && event_type != kWallType && tells_wall_apart(chunk)) return layout;
  layout.stack = constant_field(*type, "stackTrace");
  if (layout.stack < 0) return layout;
  layout.type = type;
  layout.time = integer_field(*type, "startTime");
  layout.thread = constant_field(*type, thread_field(*type));
  const WeightField weight = weight_field(event_type);
  if (!count_samples) layout.weight = integer_field(*type, weight.name);
  layout.spans = weight.is_duration;
  if (event_type == kMallocType) layout.address = integer_field(*type, "address");
  if (event_type == kLiveType || event_type == kLiveOfOthers) layout.born = integer_field(*type, "allocationTime");
  layout.failed = integer_field(*type, "failed");
  layout.period = integer_field(*type, "samplingPeriod");
  if (!class_field(event_type).empty()) layout.about = constant_field(*type, class_field(event_type));
  if (leave_cpu || states) layout.state = constant_field(*type, "state");
  layout.leaves_cpu = leave_cpu;
  layout.last = std::max({layout.time, layout.thread, layout.stack, layout.weight, layout.failed, layout.period,
                          layout.about, layout.state, layout.address, layout.born});
  return layout;
}

bool has_stacks(const Chunk& chunk, const Type& type) {
  return type.event && sample_layout(chunk, type.name, true).type != nullptr;
}

bool SampleReader::read_raw(const Event& event, const SampleLayout& layout, Raw& raw) {
  Cursor in = chunk_.body(event);
  for (int i = 0; i <= layout.last; ++i) {
    const Field& field = layout.type->fields[static_cast<size_t>(i)];
    if (i == layout.stack)
      raw.stack = in.leb();
    else if (i == layout.thread)
      raw.thread = in.leb();
    else if (i == layout.about)
      raw.about = in.leb();
    else if (i == layout.state)
      raw.state = in.leb();
    else if (i == layout.time)
      raw.time = read_integer(in, field.kind);
    else if (i == layout.weight)
      raw.weight = weight_of(read_integer(in, field.kind), field);
    else if (i == layout.failed)
      raw.failed = read_integer(in, field.kind);
    else if (i == layout.address)
      raw.address = read_integer(in, field.kind);
    else if (i == layout.born)
      raw.born = read_integer(in, field.kind);
    else if (i == layout.period)
      raw.period = read_integer(in, field.kind);
    else
      skip_field(in, chunk_.metadata(), field);
  }
  return in.ok();
}

bool SampleReader::read(const Event& event, const SampleLayout& layout, SampleValues& values) {
  Raw raw;
  if (!read_raw(event, layout, raw)) {
    chunk_.problems().add(base::Error{base::ErrorCode::kCorrupt, chunk_.offset_in_file() + event.at,
                                      std::string(layout.type->name) + " cannot be decoded, it is left out"});
    return false;
  }
  if (raw.failed != 0 || raw.weight < 0) return false;
  const auto field_at = [&](int index) -> const Field& { return layout.type->fields[static_cast<size_t>(index)]; };
  const auto key_of = [&](int field, uint64_t key) {
    return field < 0 ? ConstantKey{} : ConstantKey{field_at(field).type, key};
  };
  values.state = key_of(layout.state, raw.state);
  if (layout.leaves_cpu && layout.state >= 0 && is_cpu_state(values.state)) return false;
  if (layout.spans && layout.weight >= 0) raw.weight = chunk_.clock().nearest_span_ns(raw.weight);
  // An event without a class, key 0, has its stack alone.
  values.stack = {raw.stack, raw.about == 0 ? ConstantKey{} : key_of(layout.about, raw.about)};
  values.thread = key_of(layout.thread, raw.thread);
  values.weight = static_cast<uint64_t>(std::max<int64_t>(raw.weight, 0));
  if (layout.address >= 0 && layout.weight >= 0) values.weight = malloc_weight(values.weight, malloc_interval());
  values.time_ns = layout.time < 0 ? chunk_.header().start_ns : time_of(field_at(layout.time), raw.time);
  values.born_ns = layout.born < 0 ? values.time_ns : time_of(field_at(layout.born), raw.born);
  values.address = static_cast<uint64_t>(raw.address);
  values.ticks = raw.time;
  values.ns = raw.period > 0 ? static_cast<uint64_t>(chunk_.clock().span_ns(raw.period)) : 0;
  return true;
}

uint64_t SampleReader::malloc_interval() {
  if (!malloc_interval_) malloc_interval_ = jrec::malloc_interval(chunk_, other_malloc_interval_);
  return *malloc_interval_;
}

bool SampleReader::is_cpu_state(const ConstantKey& state) {
  auto [known, is_new, place] = cpu_states_.find_or_add(state);
  if (is_new) known = constant_name(chunk_, state.type, state.key) == "STATE_DEFAULT";
  return known;
}

int64_t SampleReader::time_of(const Field& field, int64_t value) const {
  if (field.meaning == Meaning::kTimestampMillis)
    return value > INT64_MAX / 1'000'000 || value < INT64_MIN / 1'000'000 ? 0 : value * 1'000'000;
  return chunk_.clock().unix_ns(value);
}

}  // namespace jrec
