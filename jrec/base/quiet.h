// SPDX-License-Identifier: Apache-2.0
// Quiet is what the user asks for by -q, in front of the command or behind it: no progress, and no word on what went well.
// What a command was asked for, and what did not go well, is said all the same.
#pragma once

#include <string>

#include "jrec/base/command_line.h"

namespace jrec {

void set_quiet(bool quiet);  // of this command line
bool quiet();

// The option --quiet, -q.
void add_quiet(Command& command, const std::string& what);

}  // namespace jrec
