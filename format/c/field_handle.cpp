// SPDX-License-Identifier: Apache-2.0
#include "format/c/handles.h"
#include "format/reader/field_nanos.h"
#include "format/reader/field_path.h"
#include "format/reader/value_name.h"
#include "format/reader/values.h"

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::FieldPath;
using jfr::read::FieldValue;
using jfr::read::Type;

jrec_field& jrec_type::bind(std::string_view path) {
  const auto known = fields.find(path);
  if (known != fields.end()) return *known->second;
  return *fields.emplace(path, std::make_unique<jrec_field>(*this, path)).first->second;
}

const Type* jrec_type::here() const {
  if (!file.chunk) return nullptr;
  return file.at == this ? file.event_type : file.chunk->metadata().find(name);
}

// False: that type has no such field.
bool jrec_field::bind_to(const Type& declared) {
  const jrec_file& file = type.file;
  if (bound_in_ == file.chunk_number && bound_to_ == &declared) return !indices_.empty();
  bound_in_ = file.chunk_number;
  bound_to_ = &declared;
  known_names_ = {};
  FieldPath found = FieldPath::of(file.chunk->metadata(), declared, path);
  indices_ = std::move(found.steps);
  const Type* inside = nullptr;
  kind_ = found.last == nullptr ? JREC_OTHER : jfr::c::kind_of(file.chunk->metadata(), *found.last, inside);
  return !indices_.empty();
}

jrec_status jrec_field::missing() {
  return type.file.fail(JREC_NO_FIELD, type.name + " has no field " + path + " in this chunk");
}

jrec_status jrec_field::other_kind(const char* wanted) {
  return type.file.fail(JREC_USAGE, path + " of " + type.name + " is no " + wanted);
}

jrec_status jrec_field::kind_here(jrec_kind& kind) {
  if (!type.file.chunk) return type.file.fail(JREC_USAGE, "stands in no chunk: what a field is, chunks say");
  const Type* declared = type.here();
  if (declared == nullptr || !bind_to(*declared)) return missing();
  kind = kind_;
  return JREC_OK;
}

jrec_status jrec_field::read(FieldValue& value) {
  jrec_file& file = type.file;
  if (file.at != &type)
    return file.fail(JREC_USAGE, path + " of " + type.name + " was asked of " +
                                     (file.at == nullptr ? "no event" : "an event of " + file.at->name));
  const Type& declared = *file.event_type;
  if (!bind_to(declared)) return missing();
  const auto first = static_cast<size_t>(indices_[0]);
  bool fits = declared.decodable();
  if (fits) {
    Cursor in = file.chunk->field(file.event, declared, indices_[0]);
    value = file.fields->take(in, declared.fields[first]);
    fits = in.ok();
  }
  if (!fits) return file.damaged(file.extent.offset + file.event.at, path + " of " + type.name + " cannot be decoded");
  for (size_t i = 1; i < indices_.size(); ++i) value = file.fields->member(value, indices_[i]);
  return value.null() ? JREC_NULL : JREC_OK;
}

jrec_status jrec_field::integer(int64_t& out) {
  FieldValue value;
  if (const jrec_status status = read(value); status != JREC_OK) return status;
  if (!value.is_number() || !jfr::read::is_integer(value.type->kind)) return other_kind("integer, boolean or time");
  Cursor in = value.in;
  const auto kind = value.type->kind;
  const int64_t raw = read_integer(in, kind);
  const auto meaning = value.field->meaning;
  out = raw;
  if (meaning != jfr::read::Meaning::kPlain)
    out = nanos_of(type.file.chunk->clock(), raw, meaning);
  else if (value.field->is_unsigned)
    out = static_cast<int64_t>(unsigned_of(raw, kind));
  return JREC_OK;
}

jrec_status jrec_field::real(double& out) {
  FieldValue value;
  if (const jrec_status status = read(value); status != JREC_OK) return status;
  if (!value.is_number()) return other_kind("number");
  if (jfr::read::is_real(value.type->kind)) {
    Cursor in = value.in;
    out = read_real(in, value.type->kind);
    return JREC_OK;
  }
  int64_t whole = 0;
  const jrec_status status = integer(whole);
  out = kind_ == JREC_UNSIGNED ? static_cast<double>(static_cast<uint64_t>(whole)) : static_cast<double>(whole);
  return status;
}

jrec_status jrec_field::name(std::string& out) {
  out.clear();
  FieldValue value;
  if (const jrec_status status = read(value); status != JREC_OK) return status;
  if (append_value_name(*type.file.fields, value, out)) return JREC_OK;
  return kind_ == JREC_TEXT && !value.array ? JREC_NULL : other_kind("text, and has no name");
}

// A path that begins with a constant leads to the same name whenever that has the same key.
jrec_status jrec_field::name_number(uint32_t& number) {
  jrec_file& file = type.file;
  uint64_t key = 0;
  bool by_key = false;
  if (file.at == &type && bind_to(*file.event_type) && file.event_type->decodable()) {
    const Field& first = file.event_type->fields[static_cast<size_t>(indices_[0])];
    by_key = first.constant && !first.array;
    if (by_key) {
      key = file.chunk->field(file.event, *file.event_type, indices_[0]).leb();
      if (const uint32_t* known = known_names_.find(key)) return number = *known, number == 0 ? JREC_NULL : JREC_OK;
    }
  }
  const jrec_status status = name(text);
  if (status != JREC_OK && status != JREC_NULL) return status;
  const auto known = status == JREC_NULL ? std::optional<uint32_t>(0) : file.texts.number_of(text);
  if (!known) return file.no_room();
  number = *known;
  if (by_key) known_names_.find_or_add(key, number);
  return status;
}

jrec_status jrec_field::stack_number(uint32_t& number) {
  FieldValue value;
  if (const jrec_status status = read(value); status != JREC_OK) return status;
  if (!value.is_struct() || kind_ != JREC_STACK) return other_kind("stack trace");
  const auto known = type.file.stack_reader->number_of(value);
  if (!known) return type.file.no_room();
  number = *known;
  return number == 0 ? JREC_NULL : JREC_OK;
}
