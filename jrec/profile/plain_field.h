// SPDX-License-Identifier: Apache-2.0
// Fields that hold one number where they stand, and no array: an integer, or the key of a constant.
#pragma once

#include <string_view>

#include "format/reader/metadata.h"
#include "format/reader/values.h"

namespace jrec {

inline bool is_plain_integer(const jfr::read::Field& field) {
  return !field.array && !field.constant && jfr::read::is_integer(field.kind);
}

inline bool is_constant_key(const jfr::read::Field& field) {
  return field.constant && !field.array && field.type != jfr::read::kNoType;
}

// The index of such a field; -1: there is none of that name.
inline int constant_field(const jfr::read::Type& type, std::string_view name) {
  const int index = type.field(name);
  return index >= 0 && is_constant_key(type.fields[static_cast<size_t>(index)]) ? index : -1;
}
inline int integer_field(const jfr::read::Type& type, std::string_view name) {
  const int index = type.field(name);
  return index >= 0 && is_plain_integer(type.fields[static_cast<size_t>(index)]) ? index : -1;
}

}  // namespace jrec
