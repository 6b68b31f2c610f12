// SPDX-License-Identifier: Apache-2.0
#include "format/reader/field_path.h"

#include <algorithm>

#include "format/reader/boxes.h"

namespace jfr::read {
namespace {

// What is inside of boxes, which FieldReader opens as it meets them.
const Type* unboxed(const std::vector<Type>& types, const Type* type) {
  for (int boxes = 0; boxes < kMaxBoxes; ++boxes) {
    const Field* const only = boxed(*type);
    if (only == nullptr) break;
    type = &types[only->type];
  }
  return type;
}

}  // namespace

FieldPath FieldPath::of(const Metadata& metadata, const Type& type, std::string_view path) {
  FieldPath found;
  const Type* holder = &type;
  for (size_t from = 0; from <= path.size();) {
    const size_t dot = std::min(path.find('.', from), path.size());
    const int index = holder == nullptr ? -1 : holder->field(path.substr(from, dot - from));
    if (index < 0) return {};
    found.last = &holder->fields[static_cast<size_t>(index)];
    const bool leads_on = !found.last->array && found.last->type != kNoType;
    holder = leads_on ? unboxed(metadata.types(), &metadata.types()[found.last->type]) : nullptr;
    found.steps.push_back(index);
    from = dot + 1;
  }
  return found;
}

}  // namespace jfr::read
