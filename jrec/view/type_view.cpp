// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/type_view.h"

#include "jrec/view/cell_reader.h"

namespace jrec {

using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Metadata;
using jfr::read::Type;

namespace {

// A struct that is shown as one cell.
bool one_cell(const Type& type) {
  for (const char* const name : {"java.lang.Thread", "java.lang.Class", "jdk.types.StackTrace", "jdk.types.Method",
                                 "jdk.types.ClassLoader", "java.lang.String"})
    if (type.name == name) return true;
  return type.kind != Kind::kStruct || type.fields.size() <= 1;
}

void add_columns(const Metadata& metadata, const Type& type, const std::string& path, const std::string& caption,
                 int depth, View& view) {
  if (depth > kMaxTypeDepth) return;
  for (const Field& field : type.fields) {
    if (field.array || field.type == jfr::read::kNoType || view.columns.size() >= kMaxTypeColumns) continue;
    const Type& inner = metadata.types()[field.type];
    const std::string at = path + std::string(field.name), label = caption + label_of(field);
    if (one_cell(inner))
      view.columns.push_back({label, Aggregate::kValue, at});
    else
      add_columns(metadata, inner, at + ".", label + " ", depth + 1, view);
  }
}

}  // namespace

View type_view(const Metadata& metadata, const Type& type) {
  View view;
  view.name = type.name;
  view.title = label_of(type);
  view.section = Section::kEventType;
  view.types = {view.name};
  add_columns(metadata, type, "", "", 0, view);
  if (!view.columns.empty() && view.columns[0].field == "startTime") view.order = 0, view.ascending = true;
  return view;
}

}  // namespace jrec
