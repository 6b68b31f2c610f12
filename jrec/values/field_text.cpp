// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/field_text.h"

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/values/field_time.h"
#include "jrec/values/java_names.h"
#include "jrec/values/text_units.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Kind;

void append_number(const FieldValue& value, std::string& out) {
  Cursor in = value.in;
  const Kind kind = value.type->kind;
  if (kind == Kind::kFloat) return append_java_real(static_cast<float>(read_real(in, kind)), out);
  if (kind == Kind::kDouble) return append_java_real(read_real(in, kind), out);
  const int64_t number = read_integer(in, kind);
  if (kind == Kind::kBoolean)
    out += number != 0 ? "true" : "false";
  else if (kind == Kind::kChar)
    out += utf8_of(static_cast<uint16_t>(number));
  else if (value.field->is_unsigned)
    append_format(out, "{}", unsigned_of(number, kind));
  else
    append_format(out, "{}", number);
}

}  // namespace

bool append_short_text(FieldReader& fields, const FieldValue& value, std::string& out) {
  if (value.null() || value.array) return false;
  if (value.is_number()) return append_number(value, out), true;
  const std::string_view type = value.type->name;
  if (type == "java.lang.Thread")
    return fields.text(fields.member(value, "javaName"), out) || fields.text(fields.member(value, "osName"), out);
  if (type == "jdk.types.Method") return append_method_name(fields, value, out);
  if (type == "jdk.types.StackFrame") return append_frame_method(fields, value, out);
  if (type != "java.lang.Class") return type != "jdk.types.StackTrace" && fields.text(value, out);
  std::string name;
  if (!fields.text(fields.member(value, "name"), name)) return false;
  append_class_name(name, out);
  return true;
}

bool append_method_name(FieldReader& fields, const FieldValue& method, std::string& out) {
  if (method.null()) return false;
  const size_t from = out.size();
  append_short_text(fields, fields.member(method, "type"), out);
  if (out.size() != from) out += '.';
  fields.text(fields.member(method, "name"), out);
  return out.size() != from;
}

bool append_frame_method(FieldReader& fields, const FieldValue& frame, std::string& out) {
  return append_method_name(fields, fields.member(frame, "method"), out);
}

}  // namespace jrec
