// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/field_text.h"

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/values/field_time.h"
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
  return append_value_name(fields, value, out);
}

bool append_frame_method(FieldReader& fields, const FieldValue& frame, std::string& out) {
  return append_method_name(fields, fields.member(frame, "method"), out);
}

}  // namespace jrec
