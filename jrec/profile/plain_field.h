// SPDX-License-Identifier: Apache-2.0
// Fields that hold one integer where they stand: no array, and no constant's key.
#pragma once

#include <string_view>

#include "format/reader/metadata.h"
#include "format/reader/values.h"

namespace jrec {

inline bool is_plain_integer(const jfr::read::Field& field) {
  return !field.array && !field.constant && jfr::read::is_integer(field.kind);
}

// The index of such a field; -1: there is none of that name.
inline int integer_field(const jfr::read::Type& type, std::string_view name) {
  const int index = type.field(name);
  return index >= 0 && is_plain_integer(type.fields[static_cast<size_t>(index)]) ? index : -1;
}

}  // namespace jrec
