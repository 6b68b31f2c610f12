// SPDX-License-Identifier: Apache-2.0
// The calls of jrec.h about values, stacks and columns.
#include "format/c/calls.h"

using jfr::c::guarded;

namespace {

const char* text_of(const jrec_file& file, uint32_t number) {
  const std::string* const text = file.texts.text(number);
  return text == nullptr ? "" : text->c_str();
}

jrec_status no_such_stack(jrec_file& file, uint32_t stack) {
  return file.fail(JREC_USAGE, "no stack has the number " + std::to_string(stack));
}

}  // namespace

jrec_status jrec_kind_of(jrec_field* field, jrec_kind* kind) {
  if (kind == nullptr) return JREC_USAGE;
  *kind = JREC_OTHER;
  if (field == nullptr) return JREC_USAGE;
  return guarded(&field->type.file, [&] { return field->kind_here(*kind); });
}

jrec_status jrec_int64(jrec_field* field, int64_t* value) {
  if (value == nullptr) return JREC_USAGE;
  *value = 0;
  if (field == nullptr) return JREC_USAGE;
  return guarded(&field->type.file, [&] { return field->integer(*value); });
}

jrec_status jrec_double(jrec_field* field, double* value) {
  if (value == nullptr) return JREC_USAGE;
  *value = 0;
  if (field == nullptr) return JREC_USAGE;
  return guarded(&field->type.file, [&] { return field->real(*value); });
}

jrec_status jrec_text(jrec_field* field, const char** text, size_t* length) {
  if (text == nullptr) return JREC_USAGE;
  *text = "";
  if (length != nullptr) *length = 0;
  if (field == nullptr) return JREC_USAGE;
  return guarded(&field->type.file, [&] {
    const jrec_status status = field->name(field->text);
    if (status != JREC_OK) return status;
    *text = field->text.c_str();
    if (length != nullptr) *length = field->text.size();
    return JREC_OK;
  });
}

jrec_status jrec_start_time(jrec_file* file, int64_t* unix_ns) {
  if (unix_ns == nullptr) return JREC_USAGE;
  *unix_ns = 0;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    return file->at == nullptr ? file->fail(JREC_USAGE, "stands at no event")
                               : file->at->bind("startTime").integer(*unix_ns);
  });
}

jrec_status jrec_duration(jrec_file* file, int64_t* ns) {
  if (ns == nullptr) return JREC_USAGE;
  *ns = 0;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (file->at == nullptr) return file->fail(JREC_USAGE, "stands at no event");
    const jrec_status status = file->at->bind("duration").integer(*ns);
    return status == JREC_NO_FIELD ? JREC_NULL : status;
  });
}

jrec_status jrec_stack(jrec_field* field, uint32_t* stack) {
  if (stack == nullptr) return JREC_USAGE;
  *stack = 0;
  if (field == nullptr) return JREC_USAGE;
  return guarded(&field->type.file, [&] { return field->stack_number(*stack); });
}

jrec_status jrec_stack_size(jrec_file* file, uint32_t stack, size_t* frames, int32_t* truncated) {
  if (frames != nullptr) *frames = 0;
  if (truncated != nullptr) *truncated = 0;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    if (frames != nullptr) *frames = file->stacks.frames(stack).size();
    if (truncated != nullptr) *truncated = file->stacks.truncated(stack);
    return JREC_OK;
  });
}

jrec_status jrec_stack_frame(jrec_file* file, uint32_t stack, size_t index, jrec_frame* frame) {
  if (frame == nullptr) return JREC_USAGE;
  *frame = {"", "", "", -1, -1};
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    const auto frames = file->stacks.frames(stack);
    if (index >= frames.size()) return JREC_END;
    const jfr::c::StackFrame& at = frames[index];
    *frame = {text_of(*file, at.type), text_of(*file, at.method), text_of(*file, at.kind), at.line, at.bytecode_index};
    return JREC_OK;
  });
}

jrec_status jrec_stack_frames(jrec_file* file, uint32_t stack, size_t first, size_t room, jrec_frame_numbers* numbers,
                              size_t* frames) {
  if (frames == nullptr) return JREC_USAGE;
  *frames = 0;
  if (file == nullptr || (numbers == nullptr && room != 0)) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    const auto all = file->stacks.frames(stack);
    for (size_t i = first; i < all.size() && *frames < room; ++i)
      numbers[(*frames)++] = {all[i].type, all[i].method, all[i].kind, all[i].line, all[i].bytecode_index};
    return JREC_OK;
  });
}

jrec_status jrec_rows(jrec_type* type, const jrec_column* columns, size_t count, size_t room, size_t* rows) {
  if (rows == nullptr) return JREC_USAGE;
  *rows = 0;
  if (type == nullptr || (columns == nullptr && count != 0)) return JREC_USAGE;
  return guarded(&type->file, [&] { return jfr::c::read_rows(*type, columns, count, room, *rows); });
}

const char* jrec_known_text(const jrec_file* file, uint32_t number, size_t* length) {
  const std::string* const text = file == nullptr ? nullptr : file->texts.text(number);
  if (length != nullptr) *length = text == nullptr ? 0 : text->size();
  return text == nullptr ? nullptr : text->c_str();
}
