// SPDX-License-Identifier: Apache-2.0
// What the number of a field measures, as its annotations say, and whether --where may compare it with what is written beside it.
#pragma once

#include <cstdint>

#include "format/reader/metadata.h"
#include "jrec/select/expression.h"

namespace jrec {

enum class Measure : uint8_t { kPlain, kTime, kSpan, kBytes, kBits, kShare };

inline constexpr int kBitsOfByte = 8;

Measure measure_of(const jfr::read::Field& field);
bool is_address(const jfr::read::Field& field);  // none is below 0

// False: the field is never what the literal is, as no duration is 5 MB. The test of it is false, and told at the end.
bool may_be(const Expression::Node& test, const jfr::read::Field& field);

}  // namespace jrec
