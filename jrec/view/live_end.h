// SPDX-License-Identifier: Apache-2.0
// Whether more can come of a file that is followed, and what to say of it when nobody follows it any longer.
#pragma once

#include <string>

#include "jrec/base/exit_code.h"

namespace jrec {

// A file that nobody has written to for a while: its chunks are finished, whether all of them is there or not, or it is too short for
// one. One that is not finished may be written to still.
bool is_over(const std::string& path);

// A file in the making is not damaged. One that is finished is held to the rules, as in every command; so is one with a chunk
// that was finished and then lost its end, whatever lies behind, and one that is over. Says what is wrong.
ExitCode damage_in(const std::string& path, bool over);

// What is being written begins as a chunk does, once it has begun.
bool begins_as_none(const std::string& path);

}  // namespace jrec
