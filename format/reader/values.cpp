// SPDX-License-Identifier: Apache-2.0
#include "format/reader/values.h"

#include <bit>

#include "format/reader/wire_string.h"

namespace jfr::read {
namespace {

void skip_primitive(Cursor& in, Kind kind) {
  switch (kind) {
    case Kind::kBoolean:
    case Kind::kByte: in.skip(1); break;
    case Kind::kChar:
    case Kind::kShort:
    case Kind::kInt:
    case Kind::kLong: in.leb(); break;
    case Kind::kFloat: in.skip(4); break;
    case Kind::kDouble: in.skip(8); break;
    case Kind::kString: skip_wire_string(in); break;
    case Kind::kStruct:
    case Kind::kUndeclared: in.fail(); break;
  }
}

}  // namespace

void skip_value(Cursor& in, const Metadata& metadata, const Type& type) {
  if (!type.decodable()) {
    in.fail();
    return;
  }
  if (type.only_lebs != 0) return in.skip_lebs(type.only_lebs);
  if (type.kind != Kind::kStruct) return skip_primitive(in, type.kind);
  for (const Field& field : type.fields) skip_field(in, metadata, field);
}

bool value_fits(Cursor in, const Metadata& metadata, const Type& type) {
  if (!type.decodable()) return true;
  skip_value(in, metadata, type);
  return in.ok();
}

void skip_field(Cursor& in, const Metadata& metadata, const Field& field) {
  if (field.kind == Kind::kUndeclared) {
    in.fail();
    return;
  }
  if (!field.array) {
    if (field.constant)
      in.leb();
    else if (field.kind != Kind::kStruct)
      skip_primitive(in, field.kind);
    else
      skip_value(in, metadata, metadata.types()[field.type]);
    return;
  }
  const uint64_t count = read_count(in, metadata, field);
  if (field.constant) return in.skip_lebs(count);
  const Type& element = metadata.types()[field.type];
  if (element.only_lebs != 0) {
    in.skip_lebs(count * element.only_lebs);
    return;
  }
  for (uint64_t i = 0; i < count && in.ok(); ++i) skip_value(in, metadata, element);
}

uint64_t read_count(Cursor& in, const Metadata& metadata, const Field& field) {
  const uint64_t count = in.leb();
  const uint64_t smallest = field.constant ? 1 : field.type == kNoType ? 0 : metadata.types()[field.type].min_size;
  if (smallest != 0 && count <= in.remaining() / smallest) return count;
  if (count != 0) in.fail();
  return 0;
}

int64_t read_integer(Cursor& in, Kind kind) {
  switch (kind) {
    case Kind::kBoolean: return in.u8() != 0;
    case Kind::kByte: return static_cast<int8_t>(in.u8());
    case Kind::kChar: return static_cast<uint16_t>(in.leb());
    case Kind::kShort: return static_cast<int16_t>(in.leb());
    case Kind::kInt: return static_cast<int32_t>(in.leb());
    case Kind::kLong: return static_cast<int64_t>(in.leb());
    default: in.fail(); return 0;
  }
}

double read_real(Cursor& in, Kind kind) {
  if (kind == Kind::kFloat) return std::bit_cast<float>(in.be32());
  if (kind == Kind::kDouble) return std::bit_cast<double>(in.be64());
  return static_cast<double>(read_integer(in, kind));
}

uint64_t unsigned_of(int64_t value, Kind kind) {
  switch (kind) {
    case Kind::kByte: return static_cast<uint8_t>(value);
    case Kind::kShort: return static_cast<uint16_t>(value);
    case Kind::kInt: return static_cast<uint32_t>(value);
    default: return static_cast<uint64_t>(value);
  }
}

}  // namespace jfr::read
