// SPDX-License-Identifier: Apache-2.0
// The reader's typed access to events, under the name that jrec uses.
#pragma once

#include "format/reader/field_value.h"

namespace jrec {

using jfr::read::FieldReader;
using jfr::read::FieldValue;

}  // namespace jrec
