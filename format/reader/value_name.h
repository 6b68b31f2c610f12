// SPDX-License-Identifier: Apache-2.0
// The name of a value that has one, as people write it.
//
//   thread: its name, [tid=7] or [virtual 7] where that is missing or empty, by its id
//   class: java.lang.String[]     method: java.lang.Thread.run     frame: its method's
//   string, enumeration: itself
#pragma once

#include <cstdint>
#include <string>

#include "format/reader/field_value.h"

namespace jfr::read {

// False, and nothing appended, when the value is null, or has no name: a number, an array, a stack, another struct.
bool append_value_name(FieldReader& fields, const FieldValue& value, std::string& out);

// What a thread is called that has no name.
std::string name_by_id(int64_t id, bool is_virtual);

// Nothing is appended where the method is missing.
bool append_method_name(FieldReader& fields, const FieldValue& method, std::string& out);

// Whether values of a type may have one, by their type alone.
bool has_name(const Metadata& metadata, const Type& type);

}  // namespace jfr::read
