// SPDX-License-Identifier: Apache-2.0
// FieldValue is a value of an event that has not been decoded yet: how it is declared, what its bytes are, where they
// begin. FieldReader finds such values by field, by name, and through constants.
//
//   event --take()--> eventThread, a constant --member("javaName")--> "main"
//
//   FieldReader fields(chunk);
//   FieldValue thread = fields.of(event, type, "eventThread");
//   std::string name = fields.text(fields.member(thread, "javaName"));
//
// Constants are looked up when they are met, and types that are only a box of one value are opened, as all tools of the
// JDK do. Nothing is allocated. A value that is null on the wire, or whose constant is missing, is null(). Values are
// good as long as their chunk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/reader/chunk.h"

namespace jfr::read {

struct FieldValue {
  const Field* field = nullptr;  // its declaration, inside of boxes; nullptr: there is no such field
  std::string_view name;         // as it was asked for, outside of boxes
  const Type* type = nullptr;    // what the bytes are; nullptr: null
  Cursor in;                     // at its bytes; at the count of an array
  bool array = false;
  bool constant = false;
  uint64_t key = 0;       // of the constant that was asked for
  uint32_t key_type = 0;  // index of that constant's type

  bool null() const { return type == nullptr; }
  bool is(Kind kind) const { return type != nullptr && !array && type->kind == kind; }
  bool is_struct() const { return is(Kind::kStruct); }
  bool is_number() const { return type != nullptr && !array && type->kind <= Kind::kDouble; }
};

class FieldReader {
 public:
  explicit FieldReader(Chunk& chunk) : chunk_(chunk) {}

  // Reads a field and moves `in` behind it. What cannot be decoded fails `in`.
  FieldValue take(Cursor& in, const Field& field);
  // The same for one element of an array, after its count was read.
  FieldValue take_element(Cursor& in, const Field& field);

  FieldValue of(const Event& event, const Type& type, int index);
  FieldValue of(const Event& event, const Type& type, std::string_view name);

  // A field of a struct; null when the struct is, or has no such field.
  FieldValue member(const FieldValue& value, std::string_view name);
  FieldValue member(const FieldValue& value, int index);

  // What a string says, or the first field of a struct that leads to one, as Symbol does. False when it is null.
  bool text(const FieldValue& value, std::string& out);
  std::string text(const FieldValue& value);
  int64_t integer(const FieldValue& value) const;  // 0 when it is none

  Chunk& chunk() { return chunk_; }

 private:
  FieldValue unboxed(Cursor& in, const Field& field, int boxes);

  Chunk& chunk_;
};

}  // namespace jfr::read
