// SPDX-License-Identifier: Apache-2.0
#include "format/old/value_walk.h"

namespace jfr::old {

using read::Cursor;

namespace {

void skip_plain(Cursor& in, DataType type) {
  if (type == DataType::kUtf8) return in.skip(in.be16());
  if (type == DataType::kString) return in.skip(uint64_t{2} * in.be32());
  in.skip(width_of(type));
}

}  // namespace

uint64_t read_key(Cursor& in, DataType type) {
  const uint32_t width = width_of(type);
  return width == 0 ? in.fail() : in.big_endian(width);
}

uint32_t read_count(Cursor& in, const Description& description, const Field& field) {
  const uint32_t count = in.be32();
  const uint32_t size =
      field.type == DataType::kArray ? least_size(field.element) : description.structures[field.structure].least_size;
  if (size != 0 && count <= in.remaining() / size) return count;
  if (count != 0) in.fail();
  return 0;
}

void skip_field(Cursor& in, const Description& description, const Field& field) {
  if (field.type == DataType::kStruct) return skip_fields(in, description, field.structure);
  if (field.type < DataType::kArray) return skip_plain(in, field.type);
  const uint32_t count = read_count(in, description, field);
  if (field.type == DataType::kArray && width_of(field.element) != 0)
    return in.skip(uint64_t{count} * width_of(field.element));
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    if (field.type == DataType::kArray)
      skip_plain(in, field.element);
    else
      skip_fields(in, description, field.structure);
  }
}

void skip_fields(Cursor& in, const Description& description, uint32_t structure) {
  for (const Field& field : description.structures[structure].fields) {
    if (!in.ok()) return;
    skip_field(in, description, field);
  }
}

}  // namespace jfr::old
