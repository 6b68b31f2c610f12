// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/text_events.h"

#include <cmath>
#include <limits>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/values/field_time.h"
#include "jrec/values/text_units.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

using jfr::read::Annotation;
using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

void indent(int depth, std::string& out) { out.append(static_cast<size_t>(depth) * 2, ' '); }

// The one text that the JVM writes in lines. Any other, such as a span's name, would with a line feed look like a field, or like
// an event, that it is not.
constexpr std::string_view kTypeOfLines = "jdk.ThreadDump";

bool is_nothing(const FieldValue& value, FieldReader& fields) {
  if (value.null()) return value.name == "eventThread" || value.name == "stackTrace";
  return value.name == "duration" && value.is_number() && fields.integer(value) == 0;
}

// The smallest int or long stands for "there is none".
bool is_never_set(int64_t number, const FieldValue& value, bool with_unit) {
  if (value.field->is_unsigned && !with_unit) return false;
  if (value.type->kind == Kind::kLong) return number == std::numeric_limits<int64_t>::min();
  return value.type->kind == Kind::kInt && !value.field->is_unsigned && number == std::numeric_limits<int32_t>::min();
}

// As Java converts a real number, which is not NaN, to a long.
int64_t whole_part(double real) {
  if (real >= 0x1p63) return std::numeric_limits<int64_t>::max();
  return real <= -0x1p63 ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(real);
}

}  // namespace

TextEvents::TextEvents(Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth, int32_t utc_offset_s)
    : fields_(chunk), clock_(clock), stack_depth_(stack_depth), utc_offset_s_(utc_offset_s) {}

bool TextEvents::append(const Event& event, const Type& type, std::string& out) {
  event_start_ = out.size();
  kept_ = type.name == kTypeOfLines ? "\n\t" : "\t";
  append_plain(type.name, out);
  out += " {\n";
  array_elements_ = fields_.integer(fields_.of(event, type, "arrayElements"));
  Cursor in = fields_.chunk().body(event);
  FieldValue thread, stack;
  for (const Field& field : type.fields) {
    const FieldValue value = fields_.take(in, field);
    if (!in.ok()) break;
    if (field.name == "eventThread")
      thread = value;
    else if (field.name == "stackTrace")
      stack = value;
    else
      append_line(value, 1, out);
  }
  if (!type.decodable() || !in.ok()) {
    out.resize(event_start_);
    return false;
  }
  if (thread.field != nullptr) append_line(thread, 1, out);
  if (stack.field != nullptr) append_line(stack, 1, out);
  out += "}\n\n";
  return true;
}

void TextEvents::append_line(const FieldValue& value, int depth, std::string& out) {
  if (is_nothing(value, fields_)) return;
  indent(depth, out);
  append_plain(value.name, out);
  out += " = ";
  append_value(value, depth, out);
  out += '\n';
}

void TextEvents::append_value(const FieldValue& value, int depth, std::string& out) {
  if (value.null()) {
    out += "N/A";
  } else if (full(out)) {
    out += "...";
  } else if (value.array) {
    append_array(value, depth, out);
  } else if (value.is(Kind::kString)) {
    std::string text;
    Cursor in = value.in;
    if (!fields_.chunk().append_string(in, text)) {
      out += "N/A";
      return;
    }
    out += '"';
    append_plain(text, out, kept_);
    out += '"';
  } else if (value.is_number()) {
    append_number(value, out);
  } else if (!append_known(value, depth, out)) {
    append_struct(value, depth, out);
  }
}

void TextEvents::append_array(const FieldValue& value, int depth, std::string& out) {
  out += "[\n";
  Cursor in = value.in;
  const uint64_t count = read_count(in, fields_.chunk().metadata(), *value.field);
  for (uint64_t i = 0; i < count && in.ok() && !full(out); ++i) {
    FieldValue element = fields_.take_element(in, *value.field);
    indent(depth + 1, out);
    append_value(element, depth + 1, out);
    out += '\n';
  }
  indent(depth, out);
  out += ']';
}

void TextEvents::append_struct(const FieldValue& value, int depth, std::string& out) {
  if (depth >= kMaxDepth) {
    out += "...";
    return;
  }
  out += "{\n";
  Cursor in = value.in;
  for (const Field& field : value.type->fields) {
    const FieldValue member = fields_.take(in, field);
    if (!in.ok()) break;
    append_line(member, depth + 1, out);
  }
  indent(depth, out);
  out += '}';
}

void TextEvents::append_number(const FieldValue& value, std::string& out) {
  Cursor in = value.in;
  const Kind kind = value.type->kind;
  if (kind == Kind::kBoolean) {
    out += read_integer(in, kind) != 0 ? "true" : "false";
  } else if (kind == Kind::kChar) {
    append_plain(utf8_of(static_cast<uint16_t>(read_integer(in, kind))), out, kept_);
  } else if (is_real(kind)) {
    const double real = read_real(in, kind);
    if (std::isnan(real) || real == -std::numeric_limits<double>::infinity()) {
      out += "N/A";
      return;
    }
    const Unit unit = unit_of(*value.field);
    if (unit == Unit::kShare) return append_percent(real, out);
    if (unit >= Unit::kBytes && unit <= Unit::kBitRate) return append_amount(whole_part(real), unit, out);
    kind == Kind::kFloat ? append_java_real(static_cast<float>(real), out) : append_java_real(real, out);
    if (unit == Unit::kHertz) out += " Hz";
  } else {
    append_integer(read_integer(in, kind), value, out);
  }
}

void TextEvents::append_integer(int64_t number, const FieldValue& value, std::string& out) {
  const Unit unit = unit_of(*value.field);
  const bool plain = value.field->meaning == Meaning::kPlain;
  if (plain && is_never_set(number, value, unit != Unit::kNone)) {
    out += "N/A";
    return;
  }
  const bool is_unsigned = plain && value.field->is_unsigned;
  const Whole whole = is_unsigned ? Whole{unsigned_of(number, value.type->kind)} : Whole{number};
  switch (unit) {
    case Unit::kBytes:
    case Unit::kByteRate:
    case Unit::kBits:
    case Unit::kBitRate: return append_amount(whole, unit, out);
    case Unit::kHertz: append_format(out, "{} Hz", whole); return;
    case Unit::kShare: return append_percent(static_cast<double>(whole), out);
    case Unit::kAddress: append_format(out, "0x{:08X}", static_cast<uint64_t>(whole)); return;
    case Unit::kTime:
    case Unit::kSpan:
    case Unit::kNone: break;
  }
  const FieldTime time(clock_, utc_offset_s_);
  if (plain)
    append_format(out, "{}", whole);
  else if (unit == Unit::kNone)
    time.append_iso(number, value.field->meaning, out);
  else
    time.append_readable(number, value.field->meaning, out);
}

void TextEvents::append_amount(Whole number, Unit unit, std::string& out) {
  if (unit == Unit::kBytes || unit == Unit::kByteRate) return append_bytes(number, unit == Unit::kByteRate, out);
  append_bits(number, unit == Unit::kBitRate, out);
}

TextEvents::Unit TextEvents::unit_of(const Field& field) {
  const auto known = units_.find(&field);
  if (known != units_.end()) return known->second;
  Unit unit = Unit::kNone;
  bool rate = false;
  for (const Annotation& annotation : field.annotations) {
    if (!is_content_type(annotation.type)) continue;
    const std::string_view name = annotation.type;
    if (name == "jdk.jfr.Timestamp") unit = Unit::kTime;
    if (name == "jdk.jfr.Timespan") unit = Unit::kSpan;
    if (name == "jdk.jfr.Percentage") unit = Unit::kShare;
    if (name == "jdk.jfr.MemoryAddress") unit = Unit::kAddress;
    if (name == "jdk.jfr.Frequency") rate = true;
    if (name == "jdk.jfr.DataAmount") unit = annotation.first() == "BITS" ? Unit::kBits : Unit::kBytes;
  }
  if (rate) unit = unit == Unit::kBits ? Unit::kBitRate : unit == Unit::kBytes ? Unit::kByteRate : Unit::kHertz;
  units_.emplace(&field, unit);
  return unit;
}

bool TextEvents::is_content_type(std::string_view annotation) const {
  const Type* type = const_cast<FieldReader&>(fields_).chunk().metadata().find(annotation);
  return type != nullptr && type->annotation("jdk.jfr.ContentType") != nullptr;
}

}  // namespace jrec
