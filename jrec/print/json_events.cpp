// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/json_events.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/values/field_time.h"
#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

constexpr std::string_view kOurEvents = "rec.";
constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

template <typename Number>
void append_number(Number value, std::string& out) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

template <typename Real>
void append_real(Real value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  append_java_real(value, out);  // the digits of Java: as few as tell the value from its neighbours
}

void append_char(int64_t unit, std::string& out) {
  if (unit >= 0x20 && unit < 0x7f) {
    const char c = static_cast<char>(unit);
    return append_json_string(std::string_view(&c, 1), out);
  }
  append_format(out, "\"\\u{:04x}\"", static_cast<unsigned>(unit));
}

}  // namespace

JsonEvents::JsonEvents(jfr::read::Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth)
    : chunk_(chunk),
      clock_(clock),
      stack_depth_(stack_depth),
      utc_offset_s_(checked_utc_offset_s(chunk.metadata().utc_offset_ms())) {
  const Type* frame = chunk.metadata().find("jdk.types.StackFrame");
  frame_type_ = frame == nullptr ? jfr::read::kNoType : static_cast<uint32_t>(frame - chunk.metadata().types().data());
}

bool JsonEvents::append(const jfr::read::Event& event, const Type& type, std::string& out) {
  event_start_ = out.size();
  open_.clear();
  cut_ = false;
  ours_ = type.name.starts_with(kOurEvents);
  out += "{\"type\":";
  append_json_string(type.name, out);
  out += ",\"values\":";
  Cursor in = chunk_.body(event);
  append_struct(in, type, out);
  out += '}';
  if (type.decodable() && in.ok()) return true;
  out.resize(event_start_);
  return false;
}

void JsonEvents::append_struct(Cursor& in, const Type& type, std::string& out) {
  out += '{';
  bool first = true;
  for (const Field& field : type.fields) {
    if (!in.ok()) break;
    if (!first) out += ',';
    first = false;
    append_json_string(field.name, out);
    out += ':';
    append_field(in, field, field.type == frame_type_, out);
  }
  out += '}';
}

void JsonEvents::append_field(Cursor& in, const Field& field, bool frames, std::string& out) {
  if (field.kind == Kind::kUndeclared) {
    in.fail();
    return;
  }
  if (!field.array) return append_element(in, field, out);
  const uint64_t count = read_count(in, chunk_.metadata(), field);
  out += '[';
  Field element = field;
  element.array = false;
  element.meaning = Meaning::kPlain;
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    if (frames && i >= stack_depth_) {
      skip_field(in, chunk_.metadata(), element);
      continue;
    }
    if (i != 0) out += ',';
    append_element(in, element, out);
  }
  out += ']';
}

void JsonEvents::append_element(Cursor& in, const Field& field, std::string& out) {
  if (field.constant) return append_constant(field.type, in.leb(), out);
  if (field.kind != Kind::kStruct) return append_primitive(in, field, out);
  append_value(in, chunk_.metadata().types()[field.type], out);
}

void JsonEvents::append_value(Cursor& in, const Type& type, std::string& out) {
  if (!type.decodable()) {
    in.fail();
    return;
  }
  if (type.kind != Kind::kStruct) {
    Field bare;
    bare.kind = type.kind;
    return append_primitive(in, bare, out);
  }
  if (type.simple && type.fields.size() == 1) return append_field(in, type.fields[0], false, out);
  append_struct(in, type, out);
}

void JsonEvents::append_primitive(Cursor& in, const Field& field, std::string& out) {
  switch (field.kind) {
    case Kind::kString: {
      std::string text;
      if (chunk_.append_string(in, text))
        append_json_string(text, out);
      else
        out += "null";
      return;
    }
    case Kind::kFloat: return append_real(static_cast<float>(read_real(in, field.kind)), out);
    case Kind::kDouble: return append_real(read_real(in, field.kind), out);
    case Kind::kBoolean: out += read_integer(in, field.kind) != 0 ? "true" : "false"; return;
    case Kind::kChar: return append_char(read_integer(in, field.kind), out);
    default: break;
  }
  const int64_t value = read_integer(in, field.kind);
  if (field.meaning >= Meaning::kTimespanTicks)
    append_timespan(value, field, out);
  else if (field.meaning != Meaning::kPlain)
    append_timestamp(value, field, out);
  else if (field.is_unsigned)
    append_number(unsigned_of(value, field.kind), out);
  else
    append_number(value, out);
}

void JsonEvents::append_constant(uint32_t type, uint64_t key, std::string& out) {
  const Key id{key, type};
  const auto kept = cache_.find(id);
  const bool inside_itself = std::find(open_.begin(), open_.end(), id) != open_.end();
  if (inside_itself || open_.size() >= kMaxConstantDepth || out.size() - event_start_ > kMaxEventText) {
    out += "null";
    cut_ = true;
    return;
  }
  if (kept != cache_.end()) {
    out += kept->second;
    return;
  }
  Cursor value = chunk_.constants().find(type, key);
  const size_t from = out.size();
  const bool cut_before = std::exchange(cut_, false);
  open_.push_back(id);
  if (value.ok()) append_value(value, chunk_.metadata().types()[type], out);
  if (!value.ok()) {
    out.resize(from);
    out += "null";
  }
  open_.pop_back();
  const size_t size = out.size() - from;
  if (!cut_ && size <= kMaxCachedText) {
    if (cached_bytes_ + size > kMaxCache) cache_.clear(), cached_bytes_ = 0;
    cache_.emplace(id, out.substr(from));
    cached_bytes_ += size + 64;
  }
  cut_ = cut_ || cut_before;
}

void JsonEvents::append_timestamp(int64_t value, const Field& field, std::string& out) const {
  out += '"';
  FieldTime(clock_, utc_offset_s_).append_iso(value, field.meaning, out);
  out += '"';
}

void JsonEvents::append_timespan(int64_t value, const Field& field, std::string& out) const {
  const auto scaled = [&](int64_t per_second) {
    append_duration(floor_div(value, per_second),
                    static_cast<int32_t>(floor_mod(value, per_second) * (1'000'000'000 / per_second)), out);
  };
  if (ours_ && value == kNever) {
    out += "null";
    return;
  }
  out += '"';
  if (value == kNever)
    append_duration(kNever, 0, out);
  else if (value == kForever)
    append_duration(kForever, 999'999'999, out);
  else if (field.meaning == Meaning::kTimespanTicks)
    append_duration_ns(clock_.span_ns(value), out);
  else if (field.meaning == Meaning::kTimespanNanos)
    append_duration_ns(value, out);
  else if (field.meaning == Meaning::kTimespanMicros)
    scaled(1'000'000);
  else if (field.meaning == Meaning::kTimespanMillis)
    scaled(1'000);
  else
    append_duration(value, 0, out);
  out += '"';
}

}  // namespace jrec
