// SPDX-License-Identifier: Apache-2.0
// The files that this command has opened to read them: none of them is written over (OutputFile).
#pragma once

#include <sys/stat.h>

namespace jrec {

inline constexpr const char* kInputIsKept = "is the input, and an input is not written over";

// Whoever opens a file that is an input. Any thread.
void note_input(const struct stat& status);
// Whether it is one of them, by whatever name.
bool is_input(const struct stat& status);
// Before another command of the same process: a file's number may be another file's by then.
void forget_inputs();

}  // namespace jrec
