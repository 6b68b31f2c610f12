// SPDX-License-Identifier: Apache-2.0
#include "format/reader/stack_frames.h"

#include "format/reader/value_name.h"
#include "format/reader/values.h"

namespace jfr::read {
namespace {

int64_t known(const FieldReader& fields, const FieldValue& number) {
  return number.null() ? -1 : fields.integer(number);
}

}  // namespace

std::string Frame::name(FieldReader& fields) const {
  std::string text;
  append_method_name(fields, method, text);
  return text;
}

std::string Frame::kind_name(FieldReader& fields) const { return fields.text(kind); }

StackFrames::StackFrames(BoundField& stack, const Event& event) : fields_(stack.fields()) {
  const FieldValue trace = stack.value(event);
  truncated_ = fields_.integer(fields_.member(trace, "truncated")) != 0;
  array_ = fields_.member(trace, "frames");
  if (array_.array && array_.type->decodable())
    left_ = read_count(array_.in, fields_.chunk().metadata(), *array_.field);
}

void StackFrames::step() {
  is_over_ = left_ == 0 || !array_.in.ok();
  if (is_over_) return;
  --left_;
  const FieldValue frame = fields_.take_element(array_.in, *array_.field);
  is_over_ = !array_.in.ok();
  if (is_over_) return;
  frame_.method = fields_.member(frame, "method");
  frame_.kind = fields_.member(frame, "type");
  frame_.line = known(fields_, fields_.member(frame, "lineNumber"));
  frame_.bytecode_index = known(fields_, fields_.member(frame, "bytecodeIndex"));
}

}  // namespace jfr::read
