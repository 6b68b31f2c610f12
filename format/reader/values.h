// SPDX-License-Identifier: Apache-2.0
// How to pass over, and read, the values of a type on the wire. Everything is checked by the cursor: ask its ok()
// afterwards.
//
// Only for types and fields that are decodable (metadata.h); others fail the cursor.
#pragma once

#include <cstdint>

#include "format/reader/cursor.h"
#include "format/reader/metadata.h"

namespace jfr::read {

void skip_value(Cursor& in, const Metadata& metadata, const Type& type);
void skip_field(Cursor& in, const Metadata& metadata, const Field& field);

// Whether what `in` has left holds a whole value. True of a type that is not decodable: readers pass over its values.
bool value_fits(Cursor in, const Metadata& metadata, const Type& type);

// The head of an array: its count, checked against what is left. 0 and a failed cursor when it cannot be.
uint64_t read_count(Cursor& in, const Metadata& metadata, const Field& field);

// A boolean, byte, char, short, int or long, cut to its width and sign-extended (char: zero-extended).
int64_t read_integer(Cursor& in, Kind kind);

// Any number, as a double where it is one.
double read_real(Cursor& in, Kind kind);

// The bits of an integer, read without a sign.
uint64_t unsigned_of(int64_t value, Kind kind);

inline bool is_integer(Kind kind) { return kind <= Kind::kLong; }
inline bool is_real(Kind kind) { return kind == Kind::kFloat || kind == Kind::kDouble; }

}  // namespace jfr::read
