// SPDX-License-Identifier: Apache-2.0
// A value as one short text: what a table, a filter or a comparison needs of it.
//
//   thread: its name       class: java.lang.String[]     method: java.lang.Thread.run
//   string, enumeration: itself; a number: as JSON has it; an array, a stack or another struct has no short text
#pragma once

#include <string>

#include "format/reader/value_name.h"
#include "jrec/values/field_value.h"

namespace jrec {

using jfr::read::append_method_name;
using jfr::read::append_value_name;

// False, and nothing appended, when the value is null or has no short text.
bool append_short_text(FieldReader& fields, const FieldValue& value, std::string& out);

// The method of a stack frame, java.lang.Thread.run; nothing when it is missing.
bool append_frame_method(FieldReader& fields, const FieldValue& frame, std::string& out);

}  // namespace jrec
