// SPDX-License-Identifier: Apache-2.0
// Passing over values of version 0.9 whose bytes are not wanted. A value that does not fit fails the cursor.
#pragma once

#include "format/old/description.h"

namespace jfr::old {

void skip_field(read::Cursor& in, const Description& description, const Field& field);
void skip_fields(read::Cursor& in, const Description& description, uint32_t structure);

// An integer of the given type, without sign: keys are compared by their bits.
uint64_t read_key(read::Cursor& in, DataType type);

// How many elements follow; a count that cannot be fails the cursor.
uint32_t read_count(read::Cursor& in, const Description& description, const Field& field);

}  // namespace jfr::old
