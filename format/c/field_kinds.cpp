// SPDX-License-Identifier: Apache-2.0
#include "format/c/handles.h"
#include "format/reader/boxes.h"
#include "format/reader/field_nanos.h"
#include "format/reader/value_name.h"
#include "format/reader/values.h"

namespace jfr::c {
namespace {

using read::Field;
using read::Kind;
using read::Metadata;
using read::Type;

constexpr int kMaxOpened = 3;  // structs in structs, whose fields are listed
constexpr size_t kMaxLeaves = 4096;

jrec_kind kind_of_number(const Field& field, Kind kind) {
  if (kind == Kind::kBoolean) return JREC_BOOLEAN;
  if (read::is_real(kind)) return JREC_REAL;
  if (read::is_time(field.meaning)) return JREC_TIME;
  if (read::is_span(field.meaning)) return JREC_SPAN;
  return field.is_unsigned ? JREC_UNSIGNED : JREC_INTEGER;
}

void list(const Metadata& metadata, const Type& type, const std::string& prefix, int opened,
          std::vector<jrec_type::Leaf>& leaves) {
  for (const Field& field : type.fields) {
    if (leaves.size() == kMaxLeaves) return;
    const Type* inside = nullptr;
    const jrec_kind kind = kind_of(metadata, field, inside);
    std::string path = prefix + std::string(field.name);
    const bool opens = kind == JREC_OTHER && !field.array && !field.constant && inside != nullptr &&
                       inside->kind == Kind::kStruct && opened < kMaxOpened;
    if (opens)
      list(metadata, *inside, path + ".", opened + 1, leaves);
    else
      leaves.push_back({std::move(path), kind});
  }
}

}  // namespace

jrec_kind kind_of(const Metadata& metadata, const Field& field, const Type*& inside) {
  const Field* at = &field;
  inside = nullptr;
  for (int boxes = 0; !at->array && at->type != read::kNoType && at->kind != Kind::kUndeclared; ++boxes) {
    const Type& type = metadata.types()[at->type];
    const Field* const only = read::boxed(type);
    if (only != nullptr && boxes < read::kMaxBoxes) {
      at = only;
      continue;
    }
    inside = &type;
    if (type.kind <= Kind::kDouble) return kind_of_number(*at, type.kind);
    if (type.name == "jdk.types.StackTrace") return JREC_STACK;
    return read::has_name(metadata, type) ? JREC_TEXT : JREC_OTHER;
  }
  return JREC_OTHER;
}

void list_leaves(const Metadata& metadata, const Type& type, std::vector<jrec_type::Leaf>& leaves) {
  leaves.clear();
  list(metadata, type, "", 0, leaves);
}

}  // namespace jfr::c
