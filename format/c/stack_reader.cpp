// SPDX-License-Identifier: Apache-2.0
#include "format/c/stack_reader.h"

#include "format/reader/value_name.h"
#include "format/reader/values.h"

namespace jfr::c {

using read::Cursor;
using read::FieldValue;

std::optional<uint32_t> StackReader::number_of(const FieldValue& stack) {
  if (!stack.constant) return decoded(stack);
  if (const uint32_t* known = known_stacks_.find(stack.key)) return *known;
  const auto number = decoded(stack);
  if (number) known_stacks_.find_or_add(stack.key, *number);
  return number;
}

std::optional<uint32_t> StackReader::decoded(const FieldValue& stack) {
  frames_.clear();
  bool truncated = fields_.integer(fields_.member(stack, "truncated")) != 0;
  const FieldValue array = fields_.member(stack, "frames");
  if (!array.array) return 0;
  Cursor in = array.in;
  for (uint64_t left = read_count(in, fields_.chunk().metadata(), *array.field); left > 0; --left) {
    const FieldValue frame = fields_.take_element(in, *array.field);
    if (!in.ok()) break;
    if (frames_.size() == kMaxFrames) {
      truncated = true;
      break;
    }
    if (!append_frame(frame)) return std::nullopt;
  }
  return stacks_.number_of(frames_, truncated);
}

bool StackReader::append_frame(const FieldValue& value) {
  StackFrame frame;
  if (value.is_struct()) {
    if (value.type != layout_.frame) lay_out(*value.type);
    Cursor in = value.in;
    for (int i = 0; i < static_cast<int>(value.type->fields.size()) && in.ok(); ++i) {
      const FieldValue part = fields_.take(in, value.type->fields[static_cast<size_t>(i)]);
      if (i == layout_.method) {
        const auto method = method_of(part);
        if (!method) return false;
        frame.type = method->type, frame.method = method->name;
      } else if (i == layout_.kind) {
        const auto kind = name_of(part, known_kinds_);
        if (!kind) return false;
        frame.kind = *kind;
      } else if (i == layout_.line) {
        frame.line = static_cast<int32_t>(fields_.integer(part));
      } else if (i == layout_.bytecode_index) {
        frame.bytecode_index = static_cast<int32_t>(fields_.integer(part));
      }
    }
  }
  frames_.push_back(frame);
  return true;
}

void StackReader::lay_out(const read::Type& frame) {
  layout_ = {&frame, frame.field("method"), frame.field("type"), frame.field("lineNumber"),
             frame.field("bytecodeIndex")};
}

std::optional<StackReader::Method> StackReader::method_of(const FieldValue& value) {
  if (value.constant)
    if (const Method* known = known_methods_.find(value.key)) return *known;
  const auto type = name_of(fields_.member(value, "type"), known_classes_);
  text_.clear();
  fields_.text(fields_.member(value, "name"), text_);
  const auto name = text_.empty() ? std::optional<uint32_t>(0) : texts_.number_of(text_);
  if (!type || !name) return std::nullopt;
  const Method method{*type, *name};
  if (value.constant) known_methods_.find_or_add(value.key, method);
  return method;
}

// Of a class, or a kind of frame: constants of one type each.
std::optional<uint32_t> StackReader::name_of(const FieldValue& value, read::KeyTable<uint32_t>& known_names) {
  if (value.constant)
    if (const uint32_t* known = known_names.find(value.key)) return *known;
  text_.clear();
  const auto number = append_value_name(fields_, value, text_) ? texts_.number_of(text_) : std::optional<uint32_t>(0);
  if (value.constant && number) known_names.find_or_add(value.key, *number);
  return number;
}

}  // namespace jfr::c
