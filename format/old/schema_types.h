// SPDX-License-Identifier: Apache-2.0
// The types that a chunk of version 2 declares besides its own: primitives, whose ids come first, and annotations,
// whose ids follow. For schema.cpp and schema_metadata.cpp only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "format/old/description.h"

namespace jfr::old {

inline constexpr std::string_view kPrimitives[] = {"boolean", "byte",  "short",  "int",
                                                   "long",    "float", "double", "java.lang.String"};
enum Primitive : uint64_t { kBooleanId, kByteId, kShortId, kIntId, kLongId, kFloatId, kDoubleId, kStringId };

struct AnnotationType {
  std::string_view name;
  bool texts = false;  // it has a value that is several texts
  bool has_value = true;
};
inline constexpr AnnotationType kAnnotations[] = {
    {"jdk.jfr.Label"},
    {"jdk.jfr.Description"},
    {"jdk.jfr.Category", true},
    {"jdk.jfr.Timestamp"},
    {"jdk.jfr.Timespan"},
    {"jdk.jfr.DataAmount"},
    {"jdk.jfr.Percentage", false, false},
    {"jdk.jfr.MemoryAddress", false, false},
    {"jdk.jfr.Unsigned", false, false},
};
enum AnnotationOf : uint64_t {
  kLabel,
  kDescription,
  kCategory,
  kTimestamp,
  kTimespan,
  kDataAmount,
  kPercentageMark,
  kAddressMark,
  kUnsigned
};

inline Primitive primitive_of(DataType type) {
  constexpr Primitive kOf[] = {kBooleanId, kByteId, kByteId,  kShortId,  kShortId,  kIntId,   kIntId,
                               kLongId,    kLongId, kFloatId, kDoubleId, kStringId, kStringId};
  return kOf[std::min<size_t>(static_cast<size_t>(type), std::size(kOf) - 1)];
}

}  // namespace jfr::old
