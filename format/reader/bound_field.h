// SPDX-License-Identifier: Apache-2.0
// BoundField is a field of one type in one chunk, found by its name once and read from as many events as one likes.
//
//   BoundField thread(chunk, type, "sampledThread.javaName"), start(chunk, type, "startTime");
//   for (const Event& event : EventRange(chunk, type))
//     if (const auto name = thread.text(event)) print(start.nanos(event).value_or(0), *name);
//
// A path goes through structs and constants, step by step, and not into types that are only a box of one value (boxes.h). What cannot be had is nothing, whether the field is not declared, is null,
// is of another kind, or cannot be decoded: known() tells whether it is declared. The chunk and the type must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/field_value.h"

namespace jfr::read {

class BoundField {
 public:
  BoundField(Chunk& chunk, const Type& type, std::string_view path);

  bool known() const { return !steps_.empty(); }

  // `event` must be of the type that the field was bound to.
  FieldValue value(const Event& event);
  // Of a whole number: booleans are 0 and 1, an unsigned long above 2^63 is negative.
  std::optional<int64_t> integer(const Event& event);
  std::optional<double> real(const Event& event);       // of any number
  std::optional<std::string> text(const Event& event);  // a string, or the name of a thread, class, method, constant
  std::optional<int64_t> nanos(const Event& event);     // a time since the Unix epoch, or a duration
  FieldReader& fields() { return fields_; }

 private:
  FieldReader fields_;
  const Type& type_;
  std::vector<int> steps_;  // of the path; empty: no such field
};

}  // namespace jfr::read
