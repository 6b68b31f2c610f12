// SPDX-License-Identifier: Apache-2.0
// How verify, cut, scrub, merge and disassemble are written on the command line.
#pragma once

#include "jrec/base/command_list.h"

namespace jrec {

void declare_files(CommandList& commands);

// --max-unpacked and --max-ratio, in front of any command: input.h.
void add_input_limits(Command& command);

}  // namespace jrec
