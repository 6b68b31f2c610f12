// SPDX-License-Identifier: Apache-2.0
// References are the constants that a value names, by type and key: in events, and in constants themselves.
//
// visit_field() and visit_value() move the cursor behind what they are given, as skip_field() and skip_value() do, and
// call visit(Reference) for each reference on the way, in the order of the wire. Damage fails the cursor; references in
// front of it have been visited. Null references (key 0) come out too: only the pools tell whether 0 is a constant.
#pragma once

#include <cstdint>
#include <vector>

#include "format/reader/cursor.h"
#include "format/reader/metadata.h"
#include "format/reader/values.h"
#include "format/reader/wire_string.h"

namespace jrec {

struct Reference {
  uint32_t type = 0;  // index in the metadata
  uint64_t key = 0;
  uint64_t at = 0;  // where the key stands, in the chunk
  uint64_t end = 0;
};

template <typename Visit>
void visit_key(jfr::read::Cursor& in, uint32_t type, Visit& visit) {
  const uint64_t at = in.at();
  const uint64_t key = in.leb();
  if (in.ok()) visit(Reference{type, key, at, in.at()});
}

template <typename Visit>
void visit_value(jfr::read::Cursor& in, const jfr::read::Metadata& metadata, const jfr::read::Type& type, Visit& visit);

// A string that stands here, or names one.
template <typename Visit>
void visit_string(jfr::read::Cursor& in, const jfr::read::Metadata& metadata, Visit& visit) {
  jfr::read::Cursor ahead = in;
  if (ahead.u8() != static_cast<uint8_t>(jfr::read::StringForm::kConstant)) return jfr::read::skip_wire_string(in);
  in = ahead;
  visit_key(in, metadata.string_type(), visit);
}

template <typename Visit>
void visit_field(jfr::read::Cursor& in, const jfr::read::Metadata& metadata, const jfr::read::Field& field,
                 Visit& visit) {
  using jfr::read::Kind;
  if (field.kind == Kind::kUndeclared) {
    in.fail();
    return;
  }
  uint64_t count = field.array ? jfr::read::read_count(in, metadata, field) : 1;
  for (; count > 0 && in.ok(); --count) {
    if (field.constant)
      visit_key(in, field.type, visit);
    else
      visit_value(in, metadata, metadata.types()[field.type], visit);
  }
}

template <typename Visit>
void visit_value(jfr::read::Cursor& in, const jfr::read::Metadata& metadata, const jfr::read::Type& type,
                 Visit& visit) {
  using jfr::read::Kind;
  if (!type.decodable()) {
    in.fail();
    return;
  }
  if (type.kind == Kind::kString) return visit_string(in, metadata, visit);
  if (type.kind != Kind::kStruct) return jfr::read::skip_value(in, metadata, type);
  for (const jfr::read::Field& field : type.fields) visit_field(in, metadata, field, visit);
}

}  // namespace jrec
