// SPDX-License-Identifier: Apache-2.0
#include "format/reader/value_name.h"

#include <string_view>

#include "format/reader/java_names.h"

namespace jfr::read {
namespace {

constexpr int kMaxNameDepth = 8;  // first fields of first fields, as FieldReader::text() follows them

void append_thread_name(FieldReader& fields, const FieldValue& thread, std::string& out) {
  const size_t from = out.size();
  for (const std::string_view name : {"javaName", "osName"})
    if (fields.text(fields.member(thread, name), out) && out.size() != from) return;
  int64_t id = fields.integer(fields.member(thread, "osThreadId"));
  if (id == 0) id = fields.integer(fields.member(thread, "javaThreadId"));
  if (id == 0) id = static_cast<int64_t>(thread.key);
  out += name_by_id(id, fields.integer(fields.member(thread, "virtual")) != 0);
}

}  // namespace

std::string name_by_id(int64_t id, bool is_virtual) {
  return (is_virtual ? "[virtual " : "[tid=") + std::to_string(id) + "]";
}

bool append_value_name(FieldReader& fields, const FieldValue& value, std::string& out) {
  if (value.null() || value.array || value.is_number()) return false;
  const std::string_view type = value.type->name;
  if (type == "java.lang.Thread") return append_thread_name(fields, value, out), true;
  if (type == "jdk.types.Method") return append_method_name(fields, value, out);
  if (type == "jdk.types.StackFrame") return append_method_name(fields, fields.member(value, "method"), out);
  if (type != "java.lang.Class") return type != "jdk.types.StackTrace" && fields.text(value, out);
  std::string name;
  if (!fields.text(fields.member(value, "name"), name)) return false;
  append_class_name(name, out);
  return true;
}

bool append_method_name(FieldReader& fields, const FieldValue& method, std::string& out) {
  if (method.null()) return false;
  const size_t from = out.size();
  append_value_name(fields, fields.member(method, "type"), out);
  if (out.size() != from) out += '.';
  fields.text(fields.member(method, "name"), out);
  return out.size() != from;
}

bool has_name(const Metadata& metadata, const Type& type) {
  for (const std::string_view named :
       {"java.lang.Thread", "java.lang.Class", "jdk.types.Method", "jdk.types.StackFrame"})
    if (type.name == named) return true;
  if (type.name == "jdk.types.StackTrace") return false;
  const Type* at = &type;
  for (int depth = 0; depth <= kMaxNameDepth; ++depth) {
    if (at->kind == Kind::kString) return true;
    if (at->kind != Kind::kStruct || at->fields.empty()) return false;
    const Field& first = at->fields[0];
    if (first.array || first.type == kNoType) return false;
    at = &metadata.types()[first.type];
  }
  return false;
}

}  // namespace jfr::read
