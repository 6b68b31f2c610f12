// SPDX-License-Identifier: Apache-2.0
// The words in which the metadata tables are written. All of it is constexpr: the tables are data in the binary.
//
//   constexpr Field kFields[] = {
//       start_time(),
//       ref("thread", TypeId::kThread, "Thread"),
//       value("size", TypeId::kLong, "Size").bytes(),
//   };
//
// A Type's kind says what its super type is and how its values travel; `simple` types have one field, and tools show
// that field in place of the whole.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/type_ids.h"

namespace jfr {

enum class AnnotationId : uint32_t {
  kNone = 0,
  kLabel = static_cast<uint32_t>(TypeId::kFirstAnnotation),
  kDescription,
  kCategory,
  kExperimental,
  kContentType,  // on an annotation type: it gives a unit
  kRelational,   // on an annotation type: fields that carry it and are equal belong together
  kTimestamp,
  kTimespan,
  kDataAmount,
  kPercentage,
  kMemoryAddress,
  kUnsigned,
  kGcId,
  kFrequency,
};

// An annotation with at most one text.
struct Annotation {
  AnnotationId type = AnnotationId::kNone;
  std::string_view value = {};
};

struct Field {
  std::string_view name;
  TypeId type;
  bool pooled = false;  // travels as a key into the type's constant pool
  bool array = false;
  std::array<Annotation, 5> annotations = {};

  constexpr Field with(Annotation annotation) const {
    Field copy = *this;
    for (Annotation& slot : copy.annotations) {
      if (slot.type != AnnotationId::kNone) continue;
      slot = annotation;
      return copy;
    }
    assert(false && "a field has more annotations than it has room for");
    return copy;
  }
  constexpr Field about(std::string_view text) const { return with({AnnotationId::kDescription, text}); }
  constexpr Field timestamp(std::string_view unit) const { return with({AnnotationId::kTimestamp, unit}); }
  constexpr Field timespan(std::string_view unit) const { return with({AnnotationId::kTimespan, unit}); }
  constexpr Field bytes() const { return with({AnnotationId::kDataAmount, "BYTES"}); }
  constexpr Field percentage() const { return with({AnnotationId::kPercentage}); }
  constexpr Field frequency() const { return with({AnnotationId::kFrequency}); }
  constexpr Field no_sign() const { return with({AnnotationId::kUnsigned}); }
  constexpr Field gc_id() const { return no_sign().with({AnnotationId::kGcId}); }
};

constexpr Field value(std::string_view name, TypeId type, std::string_view label = {}) {
  const Field field{name, type};
  return label.empty() ? field : field.with({AnnotationId::kLabel, label});
}
constexpr Field ref(std::string_view name, TypeId type, std::string_view label = {}) {
  Field field = value(name, type, label);
  field.pooled = true;
  return field;
}
constexpr Field array(std::string_view name, TypeId type, std::string_view label = {}) {
  Field field = value(name, type, label);
  field.array = true;
  return field;
}

// Fields that many events share. The JDK wants startTime first and duration second.
constexpr Field start_time() { return value("startTime", TypeId::kLong, "Start Time").timestamp("TICKS"); }
constexpr Field duration() { return value("duration", TypeId::kLong, "Duration").timespan("TICKS"); }
constexpr Field event_thread() { return ref("eventThread", TypeId::kThread, "Event Thread"); }
constexpr Field stack_trace() { return ref("stackTrace", TypeId::kStackTrace, "Stack Trace"); }

enum class Kind : uint8_t { kPrimitive, kStruct, kSimple, kAnnotation, kEvent };

struct Type {
  std::string_view name;
  uint32_t id;
  Kind kind;
  std::span<const Field> fields = {};
  std::string_view label = {};
  std::string_view description = {};
  std::array<std::string_view, 3> category = {};  // outermost first
  AnnotationId mark = AnnotationId::kNone;        // kExperimental, kContentType, kRelational
};

std::span<const Type> constant_types();  // annotations, constants and primitives
std::span<const Type> event_types();

}  // namespace jfr
