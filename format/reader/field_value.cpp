// SPDX-License-Identifier: Apache-2.0
#include "format/reader/field_value.h"

#include "format/reader/boxes.h"
#include "format/reader/values.h"

namespace jfr::read {

FieldValue FieldReader::take(Cursor& in, const Field& field) {
  if (field.kind == Kind::kUndeclared || field.type == kNoType) {
    in.fail();
    return {};
  }
  if (!field.array) return take_element(in, field);
  FieldValue value;
  value.field = &field;
  value.name = field.name;
  value.type = &chunk_.metadata().types()[field.type];
  value.in = in;
  value.array = true;
  skip_field(in, chunk_.metadata(), field);
  return value;
}

FieldValue FieldReader::take_element(Cursor& in, const Field& field) {
  FieldValue value = unboxed(in, field, 0);
  value.name = field.name;
  return value;
}

FieldValue FieldReader::unboxed(Cursor& in, const Field& field, int boxes) {
  FieldValue value;
  value.field = &field;
  const Type& type = chunk_.metadata().types()[field.type];
  if (field.constant) {
    value.constant = true;
    value.key = in.leb();
    value.key_type = field.type;
    if (!in.ok()) return value;
    value.in = chunk_.constants().find(field.type, value.key);
    if (!value.in.ok()) return value;
  } else {
    value.in = in;
    skip_value(in, chunk_.metadata(), type);
    if (!in.ok()) return value;
  }
  if (!type.decodable()) return value;
  const Field* const only = boxed(type);
  if (only != nullptr && boxes < kMaxBoxes) {
    Cursor inside = value.in;
    FieldValue content = unboxed(inside, *only, boxes + 1);
    if (value.constant) content.constant = true, content.key = value.key, content.key_type = value.key_type;
    return content;
  }
  value.type = &type;
  return value;
}

FieldValue FieldReader::of(const Event& event, const Type& type, int index) {
  if (index < 0 || !type.decodable()) return {};
  Cursor in = chunk_.field(event, type, index);
  return take(in, type.fields[static_cast<size_t>(index)]);
}

FieldValue FieldReader::of(const Event& event, const Type& type, std::string_view name) {
  return of(event, type, type.field(name));
}

FieldValue FieldReader::member(const FieldValue& value, std::string_view name) {
  return value.is_struct() ? member(value, value.type->field(name)) : FieldValue{};
}

FieldValue FieldReader::member(const FieldValue& value, int index) {
  if (!value.is_struct() || index < 0 || static_cast<size_t>(index) >= value.type->fields.size()) return {};
  Cursor in = value.in;
  for (int i = 0; i < index; ++i) skip_field(in, chunk_.metadata(), value.type->fields[static_cast<size_t>(i)]);
  return take(in, value.type->fields[static_cast<size_t>(index)]);
}

bool FieldReader::text(const FieldValue& value, std::string& out) {
  FieldValue at = value;
  for (int depth = 0; depth < kMaxBoxes && at.is_struct() && !at.type->fields.empty(); ++depth) {
    Cursor in = at.in;
    at = take(in, at.type->fields[0]);
  }
  if (!at.is(Kind::kString)) return false;
  return chunk_.append_string(at.in, out);
}

std::string FieldReader::text(const FieldValue& value) {
  std::string out;
  text(value, out);
  return out;
}

int64_t FieldReader::integer(const FieldValue& value) const {
  if (!value.is_number() || !is_integer(value.type->kind)) return 0;
  Cursor in = value.in;
  return read_integer(in, value.type->kind);
}

}  // namespace jfr::read
