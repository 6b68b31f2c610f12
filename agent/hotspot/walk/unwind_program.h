// SPDX-License-Identifier: Apache-2.0
// Runs the program of a function's unwind entry (call frame instructions, DWARF 4 section 6.4.2) up to a pc.
// Signal-safe; bounded, whatever the program says.
#pragma once

#include <cstdint>

#include "agent/hotspot/walk/unwind_entry.h"
#include "agent/hotspot/walk/unwind_row.h"

namespace rec::agent {

// False: the program has an instruction that is not known, or is damaged.
bool run_unwind_program(const UnwindEntry& entry, uint64_t pc, UnwindRow& row);

}  // namespace rec::agent
