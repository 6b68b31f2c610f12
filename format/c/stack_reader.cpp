// SPDX-License-Identifier: Apache-2.0
#include "format/c/stack_reader.h"

#include "format/reader/value_name.h"
#include "format/reader/values.h"

namespace jfr::c {

using read::Cursor;
using read::Field;
using read::FieldValue;
using read::Kind;
using read::Type;

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
  if (!array.array || array.field->constant || array.type->kind != Kind::kStruct) return 0;
  lay_out(*array.type);
  Cursor in = array.in;
  for (uint64_t left = read_count(in, fields_.chunk().metadata(), *array.field); left > 0; --left) {
    if (frames_.size() == kMaxFrames) {
      truncated = true;
      break;
    }
    StackFrame frame;
    if (!read_frame(in, frame)) return std::nullopt;
    if (!in.ok()) break;
    frames_.push_back(frame);
  }
  return stacks_.number_of(frames_, truncated);
}

// Straight from the bytes: most frames are of methods that are known, and cost four integers and a look into a table.
bool StackReader::read_frame(Cursor& in, StackFrame& frame) {
  for (int i = 0; i < static_cast<int>(layout_.frame->fields.size()); ++i) {
    const Field& field = layout_.frame->fields[static_cast<size_t>(i)];
    if (i == layout_.method) {
      const auto method = method_of(in, field);
      if (!method) return false;
      frame.type = method->type, frame.method = method->name;
    } else if (i == layout_.kind) {
      const auto kind = kind_of(in, field);
      if (!kind) return false;
      frame.kind = *kind;
    } else if (i == layout_.line) {
      frame.line = static_cast<int32_t>(read_integer(in, field.kind));
    } else if (i == layout_.bytecode_index) {
      frame.bytecode_index = static_cast<int32_t>(read_integer(in, field.kind));
    } else {
      skip_field(in, fields_.chunk().metadata(), field);
    }
  }
  return true;
}

// Fields of another form than a stack frame's have are passed over.
void StackReader::lay_out(const Type& frame) {
  if (layout_.frame == &frame) return;
  const auto of_form = [&frame](std::string_view name, bool constant) {
    const int index = frame.field(name);
    if (index < 0) return -1;
    const Field& field = frame.fields[static_cast<size_t>(index)];
    const bool fits =
        constant ? field.constant && field.type != read::kNoType : !field.constant && is_integer(field.kind);
    return fits && !field.array ? index : -1;
  };
  layout_ = {&frame, of_form("method", true), of_form("type", true), of_form("lineNumber", false),
             of_form("bytecodeIndex", false)};
}

std::optional<StackReader::Method> StackReader::method_of(Cursor& in, const Field& field) {
  Cursor at = in;
  const uint64_t key = in.leb();
  if (const Method* known = known_methods_.find(key)) return *known;
  const FieldValue value = fields_.take(at, field);
  const auto type = name_of(fields_.member(value, "type"), known_classes_);
  text_.clear();
  fields_.text(fields_.member(value, "name"), text_);
  const auto name = text_.empty() ? std::optional<uint32_t>(0) : texts_.number_of(text_);
  if (!type || !name) return std::nullopt;
  return known_methods_.find_or_add(key, {*type, *name}).value;
}

std::optional<uint32_t> StackReader::kind_of(Cursor& in, const Field& field) {
  Cursor at = in;
  const uint64_t key = in.leb();
  if (const uint32_t* known = known_kinds_.find(key)) return *known;
  return name_of(fields_.take(at, field), known_kinds_);
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
