// SPDX-License-Identifier: Apache-2.0
// Whether --where may compare a field with what is written beside it.
#pragma once

#include "format/reader/metadata.h"
#include "jrec/select/expression.h"

namespace jrec {

// False: the field is never what the literal is, as no duration is 5 MB. The test of it is false, and told at the end.
bool may_be(const Expression::Node& test, const jfr::read::Field& field);

}  // namespace jrec
