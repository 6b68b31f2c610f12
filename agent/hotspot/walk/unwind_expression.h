// SPDX-License-Identifier: Apache-2.0
// Expressions in unwind tables (DWARF 4 section 2.5), the few operations that compilers and linkers use there: for
// procedure linkage tables and realigned stacks. Signal-safe.
#pragma once

#include <cstdint>

#include "agent/hotspot/processor/registers.h"

namespace rec::agent {

// expression: address of its length, in ULEB128; its code follows. first: what lies on its stack when it begins; null:
// nothing. False: it has an operation that is not known, or asks for memory that is not there.
bool evaluate_unwind_expression(uint64_t expression, const Registers& registers, const uint64_t* first,
                                uint64_t& result);

}  // namespace rec::agent
