// SPDX-License-Identifier: Apache-2.0
// What a program's words become for the shell and for man.
//
//   completion(program, Shell::kBash | kZsh | kFish)       the text of a completion script
//   words --> manual(words)                                the text of jrec(1)
#pragma once

#include <string>

#include "jrec/base/command_words.h"

namespace jrec {

enum class Shell { kBash, kZsh, kFish };
std::string completion(const std::string& program, Shell shell);
std::string manual(const ProgramWords& words);

}  // namespace jrec
