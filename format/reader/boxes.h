// SPDX-License-Identifier: Apache-2.0
// Types that are only a box of one value, as Symbol is of a string: all tools of the JDK show what is inside (the attribute
// "simpleType" of metadata, jdk.jfr.internal.Type).
#pragma once

#include "format/reader/metadata.h"

namespace jfr::read {

inline constexpr int kMaxBoxes = 8;  // inside of each other; what is deeper stays closed

// What a type is a box of; nullptr: it is none.
inline const Field* boxed(const Type& type) {
  if (!type.simple || type.kind != Kind::kStruct || type.fields.size() != 1) return nullptr;
  const Field& only = type.fields[0];
  return only.array || only.type == kNoType ? nullptr : &only;
}

}  // namespace jfr::read
