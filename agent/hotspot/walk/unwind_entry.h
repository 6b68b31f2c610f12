// SPDX-License-Identifier: Apache-2.0
// UnwindEntry is what .eh_frame says of one function: a frame description entry (FDE) together with the common one (CIE)
// that it names (System V ABI 3.7, DWARF 4 section 6.4.1). Read where it lies, by loads that may fail. Signal-safe.
#pragma once

#include <cstdint>

namespace rec::agent {

struct UnwindEntry {
  uint64_t begin = 0, end = 0;  // the function's code
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint8_t pointer_encoding = 0;           // DW_EH_PE_*
  bool signal_frame = false;              // of code that a signal's handler returns to
  uint64_t initial = 0, initial_end = 0;  // the common program
  uint64_t program = 0, program_end = 0;  // the function's own
};

// eh_frame_header: where .eh_frame_hdr lies, or 0. False: no entry there covers pc.
bool find_unwind_entry(uint64_t eh_frame_header, uint64_t pc, UnwindEntry& entry);

}  // namespace rec::agent
