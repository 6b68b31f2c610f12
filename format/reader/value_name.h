// SPDX-License-Identifier: Apache-2.0
// The name of a value that has one, as people write it.
//
//   thread: its name       class: java.lang.String[]     method: java.lang.Thread.run     frame: its method's
//   string, enumeration: itself
#pragma once

#include <string>

#include "format/reader/field_value.h"

namespace jfr::read {

// False, and nothing appended, when the value is null, or has no name: a number, an array, a stack, another struct.
bool append_value_name(FieldReader& fields, const FieldValue& value, std::string& out);

// Nothing is appended where the method is missing.
bool append_method_name(FieldReader& fields, const FieldValue& method, std::string& out);

// Whether values of a type may have one, by their type alone.
bool has_name(const Metadata& metadata, const Type& type);

}  // namespace jfr::read
