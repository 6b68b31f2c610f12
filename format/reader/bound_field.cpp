// SPDX-License-Identifier: Apache-2.0
#include "format/reader/bound_field.h"

#include "format/reader/field_nanos.h"
#include "format/reader/field_path.h"
#include "format/reader/value_name.h"
#include "format/reader/values.h"

namespace jfr::read {
BoundField::BoundField(Chunk& chunk, const Type& type, std::string_view path)
    : fields_(chunk), type_(type), steps_(FieldPath::of(chunk.metadata(), type, path).steps) {}

FieldValue BoundField::value(const Event& event) {
  if (!known() || !type_.decodable()) return {};
  FieldValue value = fields_.of(event, type_, steps_.front());
  for (size_t i = 1; i < steps_.size() && !value.null(); ++i) value = fields_.member(value, steps_[i]);
  return value;
}

std::optional<int64_t> BoundField::integer(const Event& event) {
  FieldValue held = value(event);
  if (!held.is_number() || is_real(held.type->kind)) return std::nullopt;
  const Kind kind = held.type->kind;
  const int64_t number = read_integer(held.in, kind);
  if (!held.in.ok()) return std::nullopt;
  return held.field->is_unsigned ? static_cast<int64_t>(unsigned_of(number, kind)) : number;
}

std::optional<double> BoundField::real(const Event& event) {
  FieldValue held = value(event);
  if (!held.is_number()) return std::nullopt;
  if (!is_real(held.type->kind)) {
    const auto number = integer(event);
    if (!number || !held.field->is_unsigned) return number;
    return static_cast<double>(static_cast<uint64_t>(*number));
  }
  const double number = read_real(held.in, held.type->kind);
  return held.in.ok() ? std::optional(number) : std::nullopt;
}

std::optional<std::string> BoundField::text(const Event& event) {
  std::string name;
  return append_value_name(fields_, value(event), name) ? std::optional(std::move(name)) : std::nullopt;
}

std::optional<int64_t> BoundField::nanos(const Event& event) {
  const FieldValue held = value(event);
  if (held.null() || held.field->meaning == Meaning::kPlain) return std::nullopt;
  const auto number = integer(event);
  if (!number) return std::nullopt;
  return nanos_of(fields_.chunk().clock(), *number, held.field->meaning);
}

}  // namespace jfr::read
