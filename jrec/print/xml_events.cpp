// SPDX-License-Identifier: Apache-2.0
#include "jrec/print/xml_events.h"

#include <fmt/core.h>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/values/field_text.h"
#include "jrec/values/field_time.h"
#include "jrec/values/time_text.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Event;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

namespace {

void open_tag(std::string_view element, std::string_view label, int depth, std::string& out) {
  out.append(static_cast<size_t>(depth) * 2, ' ');
  out += '<';
  out += element;
  out += label;
}

std::string name_label(std::string_view name) {
  std::string label = " name=\"";
  append_xml(name, label);
  return label += '"';
}

// What the element of a null is called: by what it would be.
bool is_plain(const Chunk& chunk, const Field& field) {
  const Type* type = &chunk.metadata().types()[field.type];
  for (int boxes = 0; boxes < 8 && type->simple && type->fields.size() == 1; ++boxes) {
    if (type->fields[0].type == jfr::read::kNoType) break;
    type = &chunk.metadata().types()[type->fields[0].type];
  }
  return type->kind != Kind::kStruct;
}

}  // namespace

XmlEvents::XmlEvents(Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth)
    : fields_(chunk),
      clock_(clock),
      stack_depth_(stack_depth),
      utc_offset_s_(checked_utc_offset_s(chunk.metadata().utc_offset_ms())) {}

bool XmlEvents::append(const Event& event, const Type& type, std::string& out) {
  event_start_ = out.size();
  out += "    <event type=\"";
  append_xml(type.name, out);
  out += "\">\n";
  Cursor in = fields_.chunk().body(event);
  append_fields(in, type, 3, out);
  out += "    </event>\n\n";
  if (type.decodable() && in.ok()) return true;
  out.resize(event_start_);
  return false;
}

void XmlEvents::append_fields(Cursor& in, const Type& type, int depth, std::string& out) {
  for (const Field& field : type.fields) {
    const FieldValue value = fields_.take(in, field);
    if (!in.ok()) return;
    // The declaration that stands in the event, and not the one inside the box, has the name.
    append_element(value, name_label(field.name), depth, out);
  }
}

void XmlEvents::append_element(const FieldValue& value, std::string_view label, int depth, std::string& out) {
  const bool full = depth > kMaxDepth || out.size() - event_start_ > kMaxEventText;
  if (value.array && !full) return append_array(value, label, depth, out);
  if (!full && value.is_struct()) {
    open_tag("struct", label, depth, out);
    out += ">\n";
    Cursor in = value.in;
    append_fields(in, *value.type, depth + 1, out);
    open_tag("/struct", ">\n", depth, out);
    return;
  }
  const size_t from = out.size();
  open_tag("value", label, depth, out);
  out += '>';
  if (!full && append_content(value, out)) {
    out += "</value>\n";
    return;
  }
  out.resize(from);
  const bool plain = value.array || is_plain(fields_.chunk(), *value.field);
  open_tag(value.array ? "array" : plain ? "value" : "struct", label, depth, out);
  out += " xsi:nil=\"true\"/>\n";
}

void XmlEvents::append_array(const FieldValue& value, std::string_view label, int depth, std::string& out) {
  Cursor in = value.in;
  const uint64_t count = read_count(in, fields_.chunk().metadata(), *value.field);
  const bool frames = value.type->name == "jdk.types.StackFrame";
  open_tag("array", label, depth, out);
  append_format(out, " size=\"{}\">\n", count);
  Field element = *value.field;
  element.meaning = Meaning::kPlain;
  for (uint64_t i = 0; i < count && in.ok() && !(frames && i >= stack_depth_); ++i) {
    if (out.size() - event_start_ > kMaxEventText) break;
    append_element(fields_.take_element(in, element), fmt::format(" index=\"{}\"", i), depth + 1, out);
  }
  open_tag("/array", ">\n", depth, out);
}

bool XmlEvents::append_content(const FieldValue& value, std::string& out) {
  if (value.null()) return false;
  if (value.is(Kind::kString)) {
    std::string text;
    Cursor in = value.in;
    if (!fields_.chunk().append_string(in, text)) return false;
    append_xml(text, out);
    return true;
  }
  if (value.type->kind <= Kind::kLong && value.field->meaning != Meaning::kPlain) {
    FieldTime(clock_, utc_offset_s_).append_iso(fields_.integer(value), value.field->meaning, out);
    return true;
  }
  std::string number;
  if (!append_short_text(fields_, value, number)) return false;
  append_xml(number, out);
  return true;
}

}  // namespace jrec
