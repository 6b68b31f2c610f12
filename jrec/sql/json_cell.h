// SPDX-License-Identifier: Apache-2.0
// A value with values in it as one text, for columns of arrays: JSON, which engines take apart (SQLite: json_each).
//
//   numbers     as the columns have them: nanoseconds, bytes; a flag is true or false, what is not finite null
//   what has a short text (field_text.h): that
//   others      [..] and {"field": ..}, kDeepestJson in each other; the rest is null
//
// A text that is longer than kLongestJson gets no further elements.
#pragma once

#include <string>

#include "jrec/view/cell_reader.h"

namespace jrec {

inline constexpr int kDeepestJson = 8;
inline constexpr size_t kLongestJson = size_t{1} << 20;

std::string json_of(CellReader& reader, const FieldValue& value);

}  // namespace jrec
