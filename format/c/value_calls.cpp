// SPDX-License-Identifier: Apache-2.0
// The calls of jrec.h about values and columns.
#include "format/c/calls.h"

using jfr::c::guarded;

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
