// SPDX-License-Identifier: Apache-2.0
// The frames of a stack trace for a range-for, innermost first.
//
//   BoundField stack(chunk, type, "stackTrace");
//   for (const Frame& frame : StackFrames(stack, event)) print(frame.name(stack.fields()), frame.line);
//
// None where there is no stack. An input range: it can be gone through once; a Frame is good until the next step. Names are decoded
// when they are asked for.
#pragma once

#include <cstdint>
#include <string>

#include "format/reader/bound_field.h"
#include "format/reader/once_range.h"

namespace jfr::read {

struct Frame {
  FieldValue method;            // a jdk.types.Method
  FieldValue kind;              // a jdk.types.FrameType
  int64_t line = -1;            // -1: not known
  int64_t bytecode_index = -1;  // likewise

  std::string name(FieldReader& fields) const;       // "java.lang.Thread.run", "" where the method is missing
  std::string kind_name(FieldReader& fields) const;  // "JIT compiled", "" where it is missing
};

class StackFrames : public OnceRange<StackFrames, const Frame> {
 public:
  // `stack` is a field of the event's type that is a jdk.types.StackTrace.
  StackFrames(BoundField& stack, const Event& event);

  bool truncated() const { return truncated_; }  // outer frames were dropped

 private:
  friend OnceRange;
  const Frame& current() { return frame_; }
  bool is_over() const { return is_over_; }
  void step();

  FieldReader& fields_;
  FieldValue array_;
  uint64_t left_ = 0;
  bool truncated_ = false, is_over_ = false;
  Frame frame_;
};

}  // namespace jfr::read
